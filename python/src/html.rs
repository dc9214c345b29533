//! Writes text with looks as HTML that a notebook shows among its own: colours come from the notebook's theme where it has one.

use redexter::ground::text::is_unseen;
use redexter::styled::Styled;

/// Colours for light and dark. A class of its own keeps the notebook's own text as it is.
const STYLE: &str = "<style>pre.redexter.redexter.redexter{font-family:ui-monospace,var(--jp-code-font-family,monospace),\
monospace;font-size:13px;line-height:1.5;white-space:pre;overflow-x:auto;margin:0;padding:4px 0;background:none;color:inherit;\
text-align:left}\
.redexter .k{color:var(--jp-mirror-editor-keyword-color,#5b57a6)}.redexter .b{font-style:italic}\
.redexter .n,.redexter .p{color:var(--jp-mirror-editor-number-color,#2f7fb0)}.redexter .o,.redexter .aside{opacity:.7}\
.redexter .s,.redexter .t{color:var(--jp-mirror-editor-builtin-color,#8a6396)}\
.redexter .redex{background:#f2b25c44;box-shadow:inset 0 -1.5px #c47a1c}\
.redexter .contractum{background:#5fcfb044;box-shadow:inset 0 -1.5px #169a7c}.redexter .mark{background:#8bb8f544}\
.redexter .rule,.redexter .strong{font-weight:600}.redexter .error{color:#c4382f}.redexter .warning{color:#b06a00}\
.redexter .note{color:#2f7fb0}</style>";

/// Adds text, which stays text.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\r' => out.push_str("&#13;"),
            '\0' => out.push('\u{fffd}'),
            c if is_unseen(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
}

/// A text as a block of its own.
pub fn block(text: &Styled) -> String {
    let mut out = format!("{STYLE}<pre class=\"redexter\">");
    for (look, piece) in text.runs() {
        match look.class() {
            "" => escape(piece, &mut out),
            class => {
                out.push_str("<span class=\"");
                out.push_str(class);
                out.push_str("\">");
                escape(piece, &mut out);
                out.push_str("</span>");
            }
        }
    }
    out + "</pre>"
}

/// A page in a frame of this height in pixels, which keeps its styles and scripts to itself and reaches nothing of the notebook.
pub fn frame(page: &str, title: &str, height: u32) -> String {
    let mut out = String::from("<iframe sandbox=\"allow-scripts\" title=\"");
    escape(title, &mut out);
    out.push_str(&format!(
        "\" style=\"width:100%;height:{height}px;border:1px solid #8884;border-radius:4px\" srcdoc=\""
    ));
    for c in page.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out + "\"></iframe>"
}
