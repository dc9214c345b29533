//! Builds an HTML document in one file: styles, scripts and data stand in it, and nothing is loaded from elsewhere. A
//! Content-Security-Policy allows only the style and the scripts whose hashes it lists, images written as data, and, where the
//! document says that it runs it, WebAssembly; text is escaped.

use std::io::Write;

use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::{Compression, GzBuilder};
use redexter_language::ground::text::is_unseen;
use sha2::{Digest, Sha256};

/// The beginning of each document, by which a file that redexter wrote is known.
pub const BEGINNING: &str = "<!doctype html>\n<!-- Written by redexter. -->\n";

/// The parts of a document.
#[derive(Debug)]
pub struct HtmlDocument<'a> {
    /// What the browser calls it.
    pub title: &'a str,
    /// One sentence on it.
    pub description: &'a str,
    /// The content of its `body`.
    pub body: Markup,
    /// Data by the id of its element, [gzipped]: it stands there in base 91.
    pub data: &'a [(&'a str, &'a [u8])],
    /// The styles, in order. None of these, and of the scripts, has `</` and its element's name in it, or `<!--`.
    pub styles: &'a [&'a str],
    /// The scripts, in the order in which they run.
    pub scripts: &'a [&'a str],
    /// Whether scripts run WebAssembly, and workers made of blobs.
    pub runs_wasm: bool,
}

/// HTML as text. It is made only of markup that stands in the program, and of escaped text.
#[derive(Clone, Debug, Default)]
pub struct Markup(String);

impl Markup {
    /// Markup that was written with the program.
    pub fn known(markup: &'static str) -> Markup {
        Markup(markup.to_owned())
    }

    /// Adds text, which stays text.
    pub fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // A line break, and what browsers read as another character.
                '\r' => self.0.push_str("&#13;"),
                '\0' => self.0.push('\u{fffd}'),
                c if is_unseen(c) => self.0.extend(c.escape_default()),
                c => self.0.push(c),
            }
        }
    }

    /// Adds an element with these attributes.
    pub fn element(
        &mut self,
        name: &'static str,
        attributes: &[(&'static str, &str)],
        inside: impl FnOnce(&mut Markup),
    ) {
        self.open(name, attributes);
        inside(self);
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
    }

    /// Begins an element; of one that has no end it is all.
    pub fn open(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) {
        self.0.push('<');
        self.0.push_str(name);
        for (attribute, value) in attributes {
            self.0.push(' ');
            self.0.push_str(attribute);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
    }

    fn line(&mut self) {
        self.0.push('\n');
    }

    /// Adds an element whose text browsers take as it is.
    fn raw(&mut self, name: &'static str, attributes: &[(&'static str, &str)], text: &str) {
        self.element(name, attributes, |inside| inside.0.push_str(text));
        self.line();
    }
}

impl HtmlDocument<'_> {
    /// The document. Equal parts give equal bytes.
    pub fn document(&self) -> String {
        let style = self.styles.concat();
        let mut out = Markup(BEGINNING.to_owned());
        out.open("html", &[("lang", "en")]);
        out.line();
        for (name, attributes) in [
            ("meta", &[("charset", "utf-8")][..]),
            ("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &self.policy(&style))]),
            ("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]),
            ("meta", &[("name", "color-scheme"), ("content", "light dark")]),
            ("meta", &[("name", "description"), ("content", self.description)]),
            // No browser asks for another one.
            ("link", &[("rel", "icon"), ("href", "data:,")]),
        ] {
            out.open(name, attributes);
            out.line();
        }
        out.element("title", &[], |title| title.text(self.title));
        out.line();
        out.raw("style", &[], &style);
        out.open("body", &[]);
        out.line();
        out.0.push_str(&self.body.0);
        out.line();
        for (id, bytes) in self.data {
            out.raw("script", &[("type", "application/octet-stream"), ("id", id)], &digits(bytes));
        }
        for script in self.scripts {
            out.raw("script", &[], script);
        }
        out.0
    }

    fn policy(&self, style: &str) -> String {
        let mut scripts: Vec<String> = self.scripts.iter().map(|script| hash(script)).collect();
        if self.runs_wasm {
            scripts.push("'wasm-unsafe-eval'".to_owned());
        }
        let workers = if self.runs_wasm { " worker-src blob:;" } else { "" };
        // What is worked in may be handed in to the server that it came from; what is only read sends nothing at all.
        let forms = if self.runs_wasm { "'self'" } else { "'none'" };
        format!(
            "default-src 'none'; script-src {}; style-src {};{workers} img-src data:; base-uri 'none'; form-action {forms}",
            scripts.join(" "),
            hash(style),
        )
    }
}

/// The source expression by which a policy allows a script or a style.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The digits of base 91 by their values: the printable characters but `&`, `<` and `>`. `browser.js` reads them.
const DIGITS: &[u8; 91] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!\"#$%'()*+,-./:;=?@[\\]^_`{|}~";

/// Bytes as text, two digits for thirteen bits, the first bit the highest; the last bits are filled up with zeros, to six for one
/// digit or to thirteen for two. It is a thirteenth shorter than base64.
fn digits(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 13 * 16 + 18);
    let mut write = |value: u32| text.push(char::from(DIGITS[value as usize]));
    let (mut waiting, mut count) = (0_u32, 0);
    for byte in bytes {
        (waiting, count) = (waiting << 8 | u32::from(*byte), count + 8);
        if count >= 13 {
            count -= 13;
            let value = waiting >> count;
            write(value / 91);
            write(value % 91);
            waiting &= (1 << count) - 1;
        }
    }
    match count {
        0 => {}
        1..=6 => write(waiting << (6 - count)),
        _ => {
            let value = waiting << (13 - count);
            write(value / 91);
            write(value % 91);
        }
    }
    text
}

/// Bytes as a document holds them.
pub fn gzipped(bytes: &[u8]) -> Vec<u8> {
    // Without a time of modification, equal bytes are packed to equal bytes.
    let mut packed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::default());
    // Nothing fails that is written to memory.
    packed.write_all(bytes).and_then(|()| packed.finish()).unwrap_or_default()
}
