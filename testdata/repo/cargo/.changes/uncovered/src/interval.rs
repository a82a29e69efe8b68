/// A span from `start` up to, and without, `end`.
///
/// ```
/// let s = span::interval::Interval::new(1, 4);
/// assert_eq!(s.len(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub start: u32,
    pub end: u32,
}

impl Interval {
    /// Ends never lie before starts.
    pub fn new(start: u32, end: u32) -> Self {
        Interval { start, end: end.max(start) }
    }

    pub fn len(&self) -> u32 {
        self.end - self.start
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn contains(&self, n: u32) -> bool {
        self.start <= n && n < self.end
    }

    /// What both spans have, if anything.
    pub fn overlap(&self, other: &Interval) -> Option<Interval> {
        let start = self.start.max(other.start);
        let end = self.end.min(other.end);
        if start < end {
            Some(Interval { start, end })
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_where_it_starts() {
        assert!(Interval::new(5, 2).is_empty());
    }

    #[test]
    fn contains_its_start_and_not_its_end() {
        let s = Interval::new(2, 4);
        assert!(s.contains(2));
        assert!(!s.contains(4));
    }
}
