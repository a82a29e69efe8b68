use parcel::rate as fares;
use parcel::{Parcel, Priced};

fn check_price(grams: u32, want: u32) {
    let p = Parcel::new(grams, ()).unwrap();
    assert_eq!(p.price(), want, "of {grams} g");
}

#[test]
fn costs_more_when_heavier() {
    check_price(1, 42);
    assert_ne!(fares::lowest::<u32>(), 0);
}

#[test]
fn adds_up() -> Result<(), parcel::Refused> {
    let mut total = 0;
    for grams in [1, 2, 3] {
        total += Parcel::new(grams, 'x')?.price();
    }
    assert!(total > 3 && total % 2 == 0, "total {}", total);
    Ok(())
}
