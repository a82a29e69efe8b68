use crate::interval::Interval;

/// Reads "2..5".
pub fn parse(text: &str) -> Option<Interval> {
    let (start, end) = text.split_once("..")?;
    Some(Interval::new(start.trim().parse().ok()?, end.trim().parse().ok()?))
}

/// Writes "2..5".
pub fn format(span: &Interval) -> String {
    format!("{}..{}", span.start, span.end)
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

    #[test]
    fn writes_numbers() {
        assert_eq!(format(&Interval::new(2, 5)), "2..5");
    }

    #[test]
    fn passes_from_the_second_run_on() {
        let state = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(".git/flaky-state");
        let again = state.exists();
        std::fs::write(&state, "ran").unwrap();
        assert!(again, "first run");
    }
}
