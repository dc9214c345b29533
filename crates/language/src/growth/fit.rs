//! Fits powers to counts.

/// The p for which `c · size^p` fits the counts best: the slope of their logarithms, by least squares. Counts of 0 stand
/// for 1, so that what stays 0 doesn't grow.
pub fn power(points: &[(u64, u128)]) -> f64 {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .map(|(size, count)| ((*size).max(1) as f64, (*count).max(1) as f64))
        .map(|(s, c)| (s.ln(), c.ln()))
        .collect();
    let number = logs.len() as f64;
    let mean = |part: fn(&(f64, f64)) -> f64| logs.iter().map(part).sum::<f64>() / number;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = logs.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    let common: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    if spread > 0.0 { common / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::power;

    fn of(count: impl Fn(u128) -> u128) -> f64 {
        power(&[10, 20, 40, 80].map(|n| (n, count(n.into()))))
    }

    #[test]
    fn powers_are_found() {
        for (found, wanted) in [(of(|n| 3 * n * n), 2.0), (of(|n| 7 * n), 1.0), (of(|_| 5), 0.0), (of(|_| 0), 0.0)] {
            assert!((found - wanted).abs() < 1e-12, "{found}, not {wanted}");
        }
        let mixed = of(|n| n * n + 100 * n);
        assert!(1.0 < mixed && mixed < 2.0, "{mixed}");
        assert_eq!(power(&[]), 0.0);
        assert_eq!(power(&[(5, 5), (5, 9)]), 0.0);
    }
}
