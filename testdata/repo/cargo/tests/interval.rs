use span::interval::Interval;

#[test]
fn has_a_length() {
    assert_eq!(Interval::new(3, 10).len(), 7);
}
