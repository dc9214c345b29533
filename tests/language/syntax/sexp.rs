//! Raw trees and troubles as compact text.

use redexter::ground::{Sources, Trouble};
use redexter::syntax::raw::{
    RawCondition, RawConditionKind, RawHead, RawImplicit, RawModel, RawParam, RawQuantity, RawRule, RawSize,
    RawSizeKind, RawTerm, RawTermKind, RawType, RawTypeKind,
};

fn list<T>(items: &[T], separator: &str, show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(separator)
}

pub fn term(t: &RawTerm) -> String {
    match &t.kind {
        RawTermKind::Name(n) | RawTermKind::Number(n) => n.to_string(),
        RawTermKind::Head(h) => head(h),
        RawTermKind::App(f, a) => format!("({} {})", term(f), term(a)),
        RawTermKind::Binary(p, _, a, b) => format!("({} {} {})", p.text(), term(a), term(b)),
        RawTermKind::Unary(p, a) => format!("({}{} {})", p.text(), if p.text() == "-" { "." } else { "" }, term(a)),
        RawTermKind::Fun(ps, b) => format!("(fun ({}) {})", list(ps, " ", param), term(b)),
        RawTermKind::Let(p, v, b) => format!("(let {} {} {})", param(p), term(v), term(b)),
        RawTermKind::If(c, a, b) => format!("(if {} {} {})", term(c), term(a), term(b)),
        RawTermKind::Guard(p, c, a, b) => format!("(if {} {} {} {})", param(p), term(c), term(a), term(b)),
        RawTermKind::Array(es) if es.is_empty() => "(array)".to_owned(),
        RawTermKind::Array(es) => format!("(array {})", list(es, " ", term)),
        RawTermKind::Get(a, i) => format!("(get {} {})", term(a), term(i)),
        RawTermKind::Pair(a, b) => format!("(pair {} {})", term(a), term(b)),
        RawTermKind::Project(first, p) => format!("({} {})", if *first { ".1" } else { ".2" }, term(p)),
        RawTermKind::Ascribe(e, t) => format!("(: {} {})", term(e), ty(t)),
        RawTermKind::D(e) => format!("(D {})", term(e)),
        RawTermKind::Pattern(n, es) => format!("{n}<{}>", list(es, ", ", term)),
        RawTermKind::Hole => "_".to_owned(),
    }
}

fn head(h: &RawHead) -> String {
    match h {
        RawHead::Prim(p) => p.text().to_owned(),
        RawHead::Keep => "keep".to_owned(),
        RawHead::Pull => "pull".into(),
        RawHead::Plus => "plus".into(),
        RawHead::Fst => "fst".to_owned(),
        RawHead::Snd => "snd".to_owned(),
        RawHead::Ifold(n) => format!("(ifold {})", size(n)),
        RawHead::Scan(n, is_reversed) => format!("({} {})", if *is_reversed { "scanr" } else { "scan" }, size(n)),
        RawHead::Scatter(n, m) => format!("(scatter {} {})", size(n), size(m)),
        RawHead::Build(n) => format!("(build {})", size(n)),
    }
}

fn param(p: &RawParam) -> String {
    match &p.ty {
        Some(t) => format!("({} {})", p.name.name, ty(t)),
        None => p.name.name.to_string(),
    }
}

pub fn ty(t: &RawType) -> String {
    match &t.kind {
        RawTypeKind::Real => "real".to_owned(),
        RawTypeKind::Int => "int".to_owned(),
        RawTypeKind::Fin(n) => format!("(fin {})", size(n)),
        RawTypeKind::Array(n, a) => format!("(array {} {})", size(n), ty(a)),
        RawTypeKind::Pair(a, b) => format!("(* {} {})", ty(a), ty(b)),
        RawTypeKind::Fun(a, b) => format!("(-> {} {})", ty(a), ty(b)),
        RawTypeKind::Name(n) => n.to_string(),
        RawTypeKind::Hole => "_".to_owned(),
    }
}

fn size(s: &RawSize) -> String {
    match &s.kind {
        RawSizeKind::Literal(n) => n.to_string(),
        RawSizeKind::Name(n) => n.to_string(),
        RawSizeKind::Add(a, b) => format!("(+ {} {})", size(a), size(b)),
        RawSizeKind::Mul(a, b) => format!("(* {} {})", size(a), size(b)),
        RawSizeKind::Hole => "_".to_owned(),
    }
}

pub fn model(m: &RawModel) -> String {
    let imports = m.imports.iter().map(|i| format!("(import {})", i.path));
    let definitions = m.definitions.iter().map(|d| {
        let implicits = list(&d.implicits, " ", |i| match i {
            RawImplicit::Size { name, lower: 0 } => name.name.to_string(),
            RawImplicit::Size { name, lower } => format!("{}>={lower}", name.name),
            RawImplicit::Type(name) => format!("{}:type", name.name),
        });
        let result = d.result.as_ref().map_or("-".to_owned(), ty);
        let params = list(&d.params, " ", param);
        format!("(def {} {{{implicits}}} ({params}) {result} {})", d.name.name, term(&d.body))
    });
    imports.chain(definitions).collect::<Vec<_>>().join("\n")
}

pub fn rule(r: &RawRule) -> String {
    let mut out = format!("{}({})", r.name.name, list(&r.params, ", ", |p| p.name.to_string()));
    for law in &r.laws {
        let arrow = if law.both_ways { "<-->" } else { "-->" };
        out += &format!(" `{} {arrow} {}`", term(&law.left), term(&law.right));
    }
    if !r.conditions.is_empty() {
        out += &format!(" where {}", list(&r.conditions, ", ", condition));
    }
    if let Some(exactness) = &r.exactness {
        out += &format!(" {}", exactness.name);
    }
    out + if r.unchecked { " unchecked" } else { "" }
}

fn condition(c: &RawCondition) -> String {
    let not = if c.negated { "not " } else { "" };
    match &c.kind {
        RawConditionKind::Holds(q) => format!("{not}{}", quantity(q)),
        RawConditionKind::Compare(p, a, b) => format!("{not}{} {} {}", quantity(a), p.text(), quantity(b)),
    }
}

fn quantity(q: &RawQuantity) -> String {
    match q {
        RawQuantity::Number(n, _) => n.to_string(),
        RawQuantity::Name(n) => n.name.to_string(),
        RawQuantity::Call(f, args) => format!("{}({})", f.name, list(args, ", ", quantity)),
        RawQuantity::Add(a, b) => format!("({} + {})", quantity(a), quantity(b)),
        RawQuantity::Mul(a, b) => format!("({} * {})", quantity(a), quantity(b)),
        RawQuantity::Function(function) => function.text.clone(),
        RawQuantity::Pattern(pattern) => format!("`{}`", term(pattern)),
    }
}

/// Code, line, column and headline of the first finding.
pub fn trouble(sources: &Sources, trouble: &Trouble) -> String {
    match trouble {
        Trouble::Stopped { reason, .. } => reason.to_string(),
        Trouble::Wrong(all) => {
            let (line, column) = all[0].place().map_or((0, 0), |span| sources.position(span));
            format!("{} {line}:{column} {}", all[0].code, all[0].headline)
        }
    }
}
