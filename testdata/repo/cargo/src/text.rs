use crate::interval::Interval;

/// Reads "2..5".
pub fn parse(text: &str) -> Option<Interval> {
    let (start, end) = text.split_once("..")?;
    Some(Interval::new(start.trim().parse().ok()?, end.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers() {
        assert_eq!(parse(" 2 .. 5"), Some(Interval::new(2, 5)));
    }

    #[test]
    fn refuses_words() {
        assert_eq!(parse("two..5"), None);
    }
}
