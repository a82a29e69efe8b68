//! Parcels and what they cost.

use std::collections::HashMap;
use std::fmt::{self, Display as Shown};

use crate::rate::{Rate, *};

mod label;
pub mod rate;

/// The heaviest parcel.
pub const MOST: u32 = 255;

#[derive(Clone, Debug, PartialEq)]
pub struct Parcel<T> {
    pub grams: u32,
    tag: T,
}

/// What can go wrong.
#[derive(Debug)]
pub enum Refused {
    Empty,
    Heavy(u32),
}

pub trait Priced {
    fn price(&self) -> u32;

    fn is_free(&self) -> bool {
        self.price() == 0
    }
}

impl<T: Clone> Parcel<T> {
    /// A parcel that can be sent.
    ///
    /// It is never empty.
    #[must_use]
    pub fn new(grams: u32, tag: T) -> Result<Self, Refused> {
        if grams == 0 {
            return Err(Refused::Empty);
        }
        if !(grams <= MOST) {
            return Err(Refused::Heavy(grams));
        }
        Ok(Parcel { grams, tag })
    }

    fn heavier(&mut self, by: u32) {
        log::info!("{} and {}", self.grams, by);
        self.grams += by;
        self.tag = self.tag.clone();
    }

    pub(crate) fn tagged(&self) -> Option<T> {
        Some(self.tag.clone())
    }
}

impl<T> Priced for Parcel<T> {
    fn price(&self) -> u32 {
        let steps = [1, 20, 300u32];
        let mut sum = 0;
        for i in 0..steps.len() {
            if steps[i] > self.grams && i > 0 {
                break;
            }
            sum += steps[i] * 2;
        }
        sum.max(rate::lowest::<u32>())
    }
}

impl<T> Shown for Parcel<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} g", self.grams)
    }
}

pub async fn sorted<'a>(all: &'a [Parcel<String>], (from, to): (usize, usize)) -> Vec<&'a Parcel<String>> {
    let mut out: Vec<_> = all[from..to].iter().filter(|p| !p.tag.is_empty()).collect();
    out.sort_by_key(|p| p.grams);
    while let Some(last) = out.last() {
        if last.is_free() || last.grams == 1 {
            out.pop();
            continue;
        }
        break;
    }
    out
}

fn named(kind: &str, counts: &HashMap<String, u32>) -> String {
    match kind {
        "letter" | "card" => String::from("small"),
        other if counts.contains_key(other) => other.to_string() + "s",
        _ => format!("{kind}: {}", vec![1, 2].len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parcel(grams: u32) -> Parcel<String> {
        Parcel::new(grams, "x".to_string()).unwrap()
    }

    #[test]
    fn refuses_nothing() {
        assert!(Parcel::new(0, 1).is_err());
    }

    #[test]
    #[should_panic(expected = "Heavy")]
    fn refuses_much() {
        parcel(256);
    }

    mod names {
        #[test]
        fn of_letters() {
            assert_eq!(super::super::named("letter", &Default::default()), "small");
        }
    }
}
