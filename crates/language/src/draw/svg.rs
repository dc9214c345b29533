//! Draws a chart as SVG: text as text, in colours for a light and a dark page.

use super::Chart;
use crate::ground::text::{shortened, visible};

/// The size of the whole, and of the margins around the curve: left, top, right, bottom.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 420.0;
const MARGINS: [f64; 4] = [70.0, 40.0, 20.0, 80.0];

/// How wide a character of a band's name is taken to be.
const CHARACTER_WIDTH: f64 = 7.0;

/// The colours of the curves behind the first one: they can be seen on a light and on a dark page.
const COLOURS: [&str; 4] = ["#d9730d", "#2da44e", "#a475f9", "#e5534b"];

const STYLE: &str = "\
  <style>
    svg { background: #ffffff; color: #24292f; font: 12px system-ui, sans-serif; }
    text { fill: currentColor; }
    .title { font-size: 15px; font-weight: 600; }
    .axis { stroke: currentColor; stroke-width: 1; fill: none; }
    .grid { stroke: currentColor; stroke-opacity: 0.15; }
    .band { fill: currentColor; fill-opacity: 0.04; }
    .odd { fill-opacity: 0.1; }
    .curve { stroke: #0969da; stroke-width: 2; stroke-linejoin: round; fill: none; }
    @media (prefers-color-scheme: dark) {
      svg { background: #0d1117; color: #e6edf3; }
      .curve { stroke: #58a6ff; }
    }
  </style>
";

/// The chart as a file of its own.
pub fn svg(chart: &Chart) -> String {
    let [left, top, right, bottom] = MARGINS;
    let (across, up) = (chart.across(), chart.up());
    let (end, floor) = (WIDTH - right, HEIGHT - bottom);
    let x = |at: f64| left + at * (end - left);
    let y = |at: f64| floor - at * (floor - top);
    let mut lines = Vec::new();
    let mut line = |text: String| lines.push(text);
    line(text(left, 24.0, "start\" class=\"title", &chart.title));
    for (k, band) in chart.bands.iter().enumerate() {
        let (from, to) = (x(across.at(band.from as f64)), x(across.at(band.to as f64)));
        let odd = if k % 2 == 1 { " odd" } else { "" };
        line(format!(
            "<rect class=\"band{odd}\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>",
            to - from,
            floor - top,
            escaped(&band.name)
        ));
        let room = ((to - from) / CHARACTER_WIDTH) as usize;
        if room > 2 {
            let name =
                if band.name.chars().count() > room { shortened(&band.name, room - 1) } else { band.name.clone() };
            line(text((from + to) / 2.0, floor + 40.0, "middle", &name));
        }
    }
    for (at, number) in up.ticks() {
        line(format!("<path class=\"grid\" d=\"M{left:.1} {0:.1}H{end:.1}\"/>", y(at)));
        line(text(left - 8.0, y(at) + 4.0, "end", &number));
    }
    for (at, number) in across.ticks() {
        line(format!("<path class=\"axis\" d=\"M{:.1} {floor:.1}v5\"/>", x(at)));
        line(text(x(at), floor + 20.0, "middle", &number));
    }
    line(format!("<path class=\"axis\" d=\"M{left:.1} {top:.1}V{floor:.1}H{end:.1}\"/>"));
    for (k, curve) in chart.curves.iter().enumerate() {
        let at =
            |(step, value): &(u64, u128)| format!("{:.1},{:.1}", x(across.at(*step as f64)), y(up.at(*value as f64)));
        let colour =
            if k > 0 { format!(" style=\"stroke: {}\"", COLOURS[(k - 1) % COLOURS.len()]) } else { String::new() };
        let points: Vec<String> = curve.points.iter().map(at).collect();
        line(format!("<polyline class=\"curve\"{colour} points=\"{}\"/>", points.join(" ")));
        if chart.curves.len() > 1 {
            let height = top + 8.0 + 18.0 * k as f64;
            line(format!("<path class=\"curve\"{colour} d=\"M{:.1} {height:.1}h24\"/>", left + 14.0));
            line(text(left + 46.0, height + 4.0, "start", &curve.name));
        }
    }
    line(text((left + end) / 2.0, HEIGHT - 14.0, "middle", &chart.across));
    let middle = (top + floor) / 2.0;
    line(text(16.0, middle, &format!("middle\" transform=\"rotate(-90 16 {middle})"), &chart.up));
    file(&format!("viewBox=\"0 0 {WIDTH} {HEIGHT}\""), &chart.title, STYLE, &lines)
}

/// A drawing of this frame and these elements as a file of its own.
pub(super) fn file(frame: &str, title: &str, style: &str, lines: &[String]) -> String {
    let title = escaped(title);
    let mut out =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {frame} role=\"img\">\n  <title>{title}</title>\n{style}");
    for line in lines {
        out.extend(["  ", line, "\n"]);
    }
    out.push_str("</svg>\n");
    out
}

/// Text that begins, ends or has its middle there.
pub(super) fn text(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escaped(text))
}

/// A text as XML writes it. What can't be seen is written out, control characters, for which XML has no way, among it.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
