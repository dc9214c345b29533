//! Writes numbers over axes as Python expressions: one broadcast dimension for each axis that occurs.

use std::rc::Rc;

use super::lower::JaxLowering;
use super::node::{Axis, AxisNode, AxisReduction, Number, PyVar};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Prim, PrimClass, Size, SizeAtom};

/// How tightly an expression holds together.
const COMPARED: u8 = 2;
const EITHER: u8 = 3;
const BOTH: u8 = 4;
pub(super) const SUM: u8 = 5;
pub(super) const PRODUCT: u8 = 6;
const SIGN: u8 = 7;
const POWER: u8 = 8;
pub(super) const ATOM: u8 = 9;

/// Operands that are longer get a name.
const LONG: usize = 44;

/// Expressions that are longer have only short operands.
const LINE: usize = 96;

/// A Python expression, whose dimensions are these axes.
#[derive(Clone, Debug)]
pub(super) struct Py {
    pub(super) text: String,
    pub(super) strength: u8,
    pub(super) axes: Vec<Axis>,
    /// Whether it is no array: a literal, a size, arithmetic of these.
    pub(super) is_plain: bool,
    pub(super) is_weak: bool,
}

impl Py {
    pub(super) fn atom(text: impl Into<String>, axes: Vec<Axis>) -> Py {
        Py { text: text.into(), strength: ATOM, axes, is_plain: false, is_weak: false }
    }

    fn plain(text: String, strength: u8) -> Py {
        Py { text, strength, axes: Vec::new(), is_plain: true, is_weak: true }
    }

    /// Its text where one of at least this strength must stand.
    pub(super) fn at(&self, least: u8) -> String {
        if self.strength < least { format!("({})", self.text) } else { self.text.clone() }
    }
}

impl JaxLowering {
    /// Whether an axis is a dimension in this block; otherwise its index is one number there.
    pub(super) fn is_real(&self, axis: Axis, level: usize) -> bool {
        self.axes[axis as usize].scalar_in.is_none_or(|own| own > level)
    }

    /// The node's axes that are dimensions in this block.
    pub(super) fn real_axes(&self, node: &AxisNode, level: usize) -> Vec<Axis> {
        let mut all = node.axes();
        all.retain(|axis| self.is_real(*axis, level));
        all
    }

    /// A size in Python.
    pub(super) fn size_text(&self, size: &Size) -> String {
        let product = |(monomial, c): (&[(SizeAtom, u32)], u64)| {
            let number = (c != 1 || monomial.is_empty()).then(|| c.to_string());
            let power = |(atom, power): &(SizeAtom, u32)| match atom {
                SizeAtom::Var(name) => vec![self.sizes.get(name).cloned().unwrap_or_default(); *power as usize],
                SizeAtom::Unknown(_) => Vec::new(),
            };
            number.into_iter().chain(monomial.iter().flat_map(power)).collect::<Vec<_>>().join(" * ")
        };
        let (known, open): (Vec<_>, Vec<_>) = size.terms().partition(|(monomial, _)| monomial.is_empty());
        let all: Vec<String> = open.into_iter().chain(known).map(|(m, c)| product((m, c))).collect();
        if all.is_empty() { "0".to_owned() } else { all.join(" + ") }
    }

    /// How long an axis is: where data is split over the size, as long as a device's part.
    pub(super) fn length_text(&self, size: &Size) -> String {
        let text = self.size_text(size);
        match self.shards.iter().any(|(own, _)| own == size) {
            true => format!("{text}_here"),
            false => text,
        }
    }

    /// The sizes of axes as a tuple.
    pub(super) fn shape_text(&self, axes: &[Axis]) -> String {
        let all: Vec<String> = axes.iter().map(|axis| self.length_text(self.size_of(*axis))).collect();
        tuple(&all)
    }

    /// A variable in the outermost block that has what the node needs, and its read.
    pub(super) fn assigned(&mut self, hint: &str, node: &AxisNode) -> AxisNode {
        let level = node.level();
        let py = self.emit(node, level);
        self.assign(level, hint, py, node)
    }

    /// A variable for an expression in a block, and its read.
    pub(super) fn assign(&mut self, level: usize, hint: &str, py: Py, node: &AxisNode) -> AxisNode {
        let read =
            |var: &Rc<PyVar>| AxisNode::Read(var.clone(), py.axes.iter().map(|axis| AxisNode::Axis(*axis)).collect());
        let dims: Vec<Size> = py.axes.iter().map(|axis| self.size_of(*axis).clone()).collect();
        if let Some(var) = self.blocks[level].known.get(&py.text).filter(|var| var.dims == dims) {
            return read(var);
        }
        self.variables += 1;
        let (id, name) = (self.variables, self.names.fresh(hint));
        let (number, is_weak, is_real_free) = (node.number(), py.is_weak, node.is_real_free());
        self.blocks[level].lines.push(format!("{name} = {}", py.text));
        let var = Rc::new(PyVar { id, name, level, number, dims, is_weak, is_real_free });
        self.blocks[level].known.insert(py.text.clone(), var.clone());
        self.definitions.insert(id, (py.axes.clone(), node.clone()));
        read(&var)
    }

    /// The number in a block.
    pub(super) fn emit(&mut self, node: &AxisNode, level: usize) -> Py {
        if !goes_on() {
            return Py::plain(String::new(), ATOM);
        }
        match node {
            AxisNode::Real(x) => real(*x),
            AxisNode::Int(k) => Py::plain(k.to_string(), if *k < 0 { SIGN } else { ATOM }),
            AxisNode::Size(size) => {
                let text = self.size_text(size);
                let strength = if text.contains('+') {
                    SUM
                } else if text.contains('*') {
                    PRODUCT
                } else {
                    ATOM
                };
                Py::plain(text, strength)
            }
            AxisNode::Axis(axis) => self.index(*axis, level),
            AxisNode::Read(var, of) => self.read(var, of, level),
            AxisNode::Truth(a) => {
                let a = self.emit(a, level);
                Py { text: format!("{} != 0", a.at(COMPARED + 1)), strength: COMPARED, ..a }
            }
            AxisNode::Select(p) => {
                let mut parts = [&p.0, &p.1, &p.2].map(|part| self.short(part, level));
                if node.number() == Number::Real && parts[1].is_weak && parts[2].is_weak {
                    // Of two literals JAX would make its own type of reals.
                    self.uses_dtype = true;
                    if p.1 == AxisNode::Real(1.0) && p.2.is_zero() {
                        let text = format!("jnp.asarray({}, dtype)", parts[0].text);
                        return Py { text, strength: ATOM, is_weak: false, ..parts[0].clone() };
                    }
                    let text = format!("jnp.asarray({}, dtype)", parts[1].text);
                    parts[1] = Py { text, strength: ATOM, is_plain: false, is_weak: false, ..parts[1].clone() };
                }
                let weak = parts[1].is_weak && parts[2].is_weak;
                let whole = self.call("jnp.where", &parts);
                Py { is_weak: weak, ..whole }
            }
            AxisNode::Prim(prim, of) => self.operation(*prim, of, level),
            AxisNode::Reduce(how, axis, body) => self.reduced(*how, *axis, body, level),
            AxisNode::Scatter(scatter) => self.scattered(scatter, level),
            AxisNode::Stack(items, index) => self.stacked(items, index, level),
        }
    }

    /// The index of an axis: an array of all of them, under a name, or the step's number.
    fn index(&mut self, axis: Axis, level: usize) -> Py {
        let info = self.axes[axis as usize].clone();
        if self.shard_of(axis).is_some() {
            return Py::atom(format!("{}_index", self.size_text(&info.size)), vec![axis]);
        }
        let text = format!("jnp.arange({})", self.size_text(&info.size));
        match info.scalar_in {
            Some(own) if own <= level => {
                let place = self.blocks[own].given.iter().find(|(source, _)| *source == text);
                let var = match place {
                    Some((_, var)) => var.clone(),
                    None => {
                        let name = self.names.fresh(&info.hint);
                        let var = self.variable(name, own, Number::Int, Vec::new());
                        self.blocks[own].given.push((text, var.clone()));
                        var
                    }
                };
                Py::atom(var.name.clone(), Vec::new())
            }
            _ => {
                let py = Py::atom(text, vec![axis]);
                match self.assign(0, &info.hint, py, &AxisNode::Axis(axis)) {
                    AxisNode::Read(var, _) => Py::atom(var.name.clone(), vec![axis]),
                    _ => Py::atom("0", Vec::new()),
                }
            }
        }
    }

    /// The number as an operand: under a name where it is long.
    pub(super) fn short(&mut self, node: &AxisNode, level: usize) -> Py {
        let py = self.emit(node, level);
        if py.text.len() <= LONG || py.strength == ATOM && !py.text.contains(['(', '[']) {
            return py;
        }
        let hint = self.hint(node);
        let read = self.assign(level, &hint, py, node);
        self.emit(&read, level)
    }

    /// What a part without a name is called.
    fn hint(&self, node: &AxisNode) -> String {
        match node {
            AxisNode::Reduce(AxisReduction::Sum, ..) | AxisNode::Scatter(_) => "total".to_owned(),
            AxisNode::Reduce(AxisReduction::Max, ..) => "most".to_owned(),
            AxisNode::Reduce(AxisReduction::Min, ..) => "least".to_owned(),
            AxisNode::Prim(Prim::Div, _) => "ratio".to_owned(),
            AxisNode::Prim(Prim::Mul, _) => "product".to_owned(),
            AxisNode::Prim(Prim::Sub, _) => "difference".to_owned(),
            AxisNode::Prim(prim, _) if prim.class() == PrimClass::Function => {
                format!("{}_", prim.text().replace('^', "power"))
            }
            _ => "part".to_owned(),
        }
    }

    /// Axes in which operands meet: those of the largest as they are, if it has all; else from the outside in.
    pub(super) fn met(&self, all: &[Py]) -> Vec<Axis> {
        let rank = |py: &&Py| (py.axes.len(), py.axes.is_sorted());
        let largest = all.iter().max_by_key(rank).map(|py| py.axes.clone()).unwrap_or_default();
        if all.iter().all(|py| py.axes.iter().all(|axis| largest.contains(axis))) {
            return largest;
        }
        let mut axes: Vec<Axis> = all.iter().flat_map(|py| py.axes.clone()).collect();
        axes.sort_unstable();
        axes.dedup();
        axes
    }

    /// An expression whose dimensions stand where these axes are; those that it lacks in front it has as broadcasting has them.
    pub(super) fn aligned(&self, py: &Py, axes: &[Axis]) -> Py {
        let own: Vec<Axis> = axes.iter().copied().filter(|axis| py.axes.contains(axis)).collect();
        if own.is_empty() {
            return py.clone();
        }
        let turned = transposed(py, &own);
        let from = axes.iter().position(|axis| *axis == own[0]).unwrap_or(0);
        let dims: Vec<&str> = axes[from..].iter().map(|axis| if own.contains(axis) { ":" } else { "None" }).collect();
        if dims.iter().all(|dim| *dim == ":") {
            return Py { axes: axes.to_vec(), ..turned };
        }
        // What stands behind the last of a shorter index is taken as it is.
        let mut dims = dims;
        while dims.last() == Some(&":") {
            dims.pop();
        }
        let text = format!("{}[{}]", turned.at(ATOM), dims.join(", "));
        Py { text, strength: ATOM, axes: axes.to_vec(), is_plain: false, is_weak: py.is_weak }
    }

    /// A function of operands that meet.
    pub(super) fn call(&self, function: &str, of: &[Py]) -> Py {
        let axes = self.met(of);
        let texts: Vec<String> = of.iter().map(|py| self.aligned(py, &axes).text).collect();
        let is_weak = of.iter().all(|py| py.is_weak);
        Py { text: format!("{function}({})", texts.join(", ")), strength: ATOM, axes, is_plain: false, is_weak }
    }

    /// An operator between two that meet, with its own strength and what it asks of them.
    pub(super) fn infix(&self, a: &Py, b: &Py, sign: &str, (own, left, right): (u8, u8, u8)) -> Py {
        let axes = self.met(&[a.clone(), b.clone()]);
        let (a, b) = (self.aligned(a, &axes), self.aligned(b, &axes));
        let text = format!("{} {sign} {}", a.at(left), b.at(right));
        let (is_plain, is_weak) = (a.is_plain && b.is_plain, a.is_weak && b.is_weak);
        Py { text, strength: own, axes, is_plain, is_weak }
    }

    fn operation(&mut self, prim: Prim, of: &[AxisNode], level: usize) -> Py {
        let prim = prim.unrounded();
        if let (Prim::ToReal, AxisNode::Axis(axis)) = (prim, &of[0])
            && self.is_real(*axis, level)
            && self.shard_of(*axis).is_none()
        {
            let AxisSizeHint { size, hint } = AxisSizeHint::of(self, *axis);
            self.uses_dtype = true;
            let py = Py::atom(format!("jnp.arange({size}, dtype=dtype)"), vec![*axis]);
            let node = AxisNode::prim(prim, [of[0].clone()]);
            let read = self.assign(0, &format!("{hint}_real"), py, &node);
            return self.emit(&read, level);
        }
        let mut py: Vec<Py> = of.iter().map(|operand| self.short(operand, level)).collect();
        if let [a, b] = &py[..]
            && a.text.len() + b.text.len() > LINE
        {
            let longest = usize::from(b.text.len() > a.text.len());
            if py[longest].text.contains(['(', '[', ' ']) {
                let (hint, own) = (self.hint(&of[longest]), py[longest].clone());
                let read = self.assign(level, &hint, own, &of[longest]);
                py[longest] = self.emit(&read, level);
            }
        }
        let infix = |sign: &str, own: u8, left: u8, right: u8| self.infix(&py[0], &py[1], sign, (own, left, right));
        let compared = |sign: &str| infix(sign, COMPARED, COMPARED + 1, COMPARED + 1);
        let applied = |function: &str| self.call(function, &py);
        match prim {
            Prim::Add => infix("+", SUM, SUM, SUM + 1),
            Prim::Sub => infix("-", SUM, SUM, SUM + 1),
            Prim::Mul => infix("*", PRODUCT, PRODUCT, PRODUCT + 1),
            // Python would stop at a 0 where both are its own numbers.
            Prim::Div if py.iter().all(|py| py.is_plain) => applied("jnp.divide"),
            Prim::Div => infix("/", PRODUCT, PRODUCT, PRODUCT + 1),
            Prim::Quot | Prim::Rem => {
                let word = if prim == Prim::Quot { "//" } else { "%" };
                let zero = if prim == Prim::Quot { "0" } else { "{a}" };
                match super::lower::constant(&of[1]).is_some_and(|k| k > 0) || of[1].is_size() {
                    true => infix(word, PRODUCT, PRODUCT, PRODUCT + 1),
                    // By 0 it is 0, and the rest all of it.
                    false => {
                        let axes = self.met(&py);
                        let (a, b) = (self.aligned(&py[0], &axes), self.aligned(&py[1], &axes));
                        let zero = zero.replace("{a}", &a.text);
                        let (a, own, b) = (a.at(PRODUCT), b.at(COMPARED + 1), b.text.clone());
                        let text = format!("jnp.where({own} == 0, {zero}, {a} {word} jnp.where({own} == 0, 1, {b}))");
                        Py { text, strength: ATOM, axes, is_plain: false, is_weak: false }
                    }
                }
            }
            Prim::Neg => {
                let text = format!("-{}", py[0].at(SIGN));
                Py { text, strength: SIGN, ..py[0].clone() }
            }
            Prim::Pow | Prim::RealPow => infix("**", POWER, ATOM, POWER),
            Prim::Exp => applied("jnp.exp"),
            Prim::Log => applied("jnp.log"),
            Prim::Sqrt => applied("jnp.sqrt"),
            Prim::Sin => applied("jnp.sin"),
            Prim::Cos => applied("jnp.cos"),
            Prim::Tan => applied("jnp.tan"),
            Prim::Sinh => applied("jnp.sinh"),
            Prim::Cosh => applied("jnp.cosh"),
            Prim::Tanh => applied("jnp.tanh"),
            Prim::Asin => applied("jnp.arcsin"),
            Prim::Acos => applied("jnp.arccos"),
            Prim::Atan => applied("jnp.arctan"),
            Prim::Atan2 => applied("jnp.arctan2"),
            Prim::Abs => applied("jnp.abs"),
            Prim::Floor => applied("jnp.floor"),
            Prim::Ceil => applied("jnp.ceil"),
            Prim::Round => applied("jnp.round"),
            Prim::Sign => applied("jnp.sign"),
            Prim::Log1p => applied("jnp.log1p"),
            Prim::Expm1 => applied("jnp.expm1"),
            Prim::Min => applied("jnp.minimum"),
            Prim::Max => applied("jnp.maximum"),
            Prim::Lgamma => applied("jax.scipy.special.gammaln"),
            Prim::Digamma => applied("jax.scipy.special.digamma"),
            Prim::Trigamma => {
                let inner = self.call("jax.scipy.special.polygamma", &py);
                Py { text: inner.text.replacen("polygamma(", "polygamma(1, ", 1), ..inner }
            }
            Prim::Erf => applied("jax.scipy.special.erf"),
            Prim::Erfc => applied("jax.scipy.special.erfc"),
            Prim::Lt => compared("<"),
            Prim::Le => compared("<="),
            Prim::Gt => compared(">"),
            Prim::Ge => compared(">="),
            Prim::Eq => compared("=="),
            Prim::Ne => compared("!="),
            Prim::And | Prim::Or => {
                let truths = [0, 1].map(|k| truth_of(&of[k], &py[k]));
                py = truths.to_vec();
                let (sign, own) = if prim == Prim::And { ("&", BOTH) } else { ("|", EITHER) };
                let axes = self.met(&py);
                let (a, b) = (self.aligned(&py[0], &axes), self.aligned(&py[1], &axes));
                let text = format!("{} {sign} {}", a.at(own), b.at(own + 1));
                Py { text, strength: own, axes, is_plain: false, is_weak: false }
            }
            Prim::Not => {
                let own = truth_of(&of[0], &py[0]);
                Py { is_weak: false, ..self.call("jnp.logical_not", &[own]) }
            }
            Prim::ToReal if py[0].is_plain => py[0].clone(),
            Prim::ToReal => {
                self.uses_dtype = true;
                let text = format!("jnp.asarray({}, dtype)", py[0].text);
                Py { text, strength: ATOM, is_weak: false, ..py[0].clone() }
            }
            Prim::Offset(by) => {
                let text = format!("{} + {by}", py[0].at(SUM));
                Py { text, strength: SUM, ..py[0].clone() }
            }
            // The other words keep what they are given as it is.
            _ => py[0].clone(),
        }
    }

    /// The number as an array with exactly these dimensions, in a block.
    pub(super) fn full(&mut self, node: &AxisNode, axes: &[Axis], number: Number, level: usize) -> String {
        let py = self.emit(node, level);
        let kind = if number == Number::Real { "dtype" } else { "int" };
        let is_other = py.is_weak || node.number() == Number::Truth;
        self.uses_dtype |= is_other && number == Number::Real;
        if py.axes.is_empty() && is_other && !axes.is_empty() {
            return format!("jnp.full({}, {}, {kind})", self.shape_text(axes), py.text);
        }
        let whole = if py.axes.len() == axes.len() {
            transposed(&py, axes)
        } else {
            let own = self.aligned(&py, axes);
            Py { strength: ATOM, text: format!("jnp.broadcast_to({}, {})", own.text, self.shape_text(axes)), ..own }
        };
        match (is_other, number) {
            (true, Number::Int) if !py.is_weak => format!("{}.astype(int)", whole.at(ATOM)),
            (true, _) => format!("jnp.asarray({}, {kind})", whole.text),
            (false, _) => whole.text,
        }
    }
}

/// What the text of an index says.
struct AxisSizeHint {
    size: String,
    hint: String,
}

impl AxisSizeHint {
    fn of(lower: &JaxLowering, axis: Axis) -> AxisSizeHint {
        let info = &lower.axes[axis as usize];
        AxisSizeHint { size: lower.size_text(&info.size), hint: info.hint.to_string() }
    }
}

impl AxisNode {
    /// Whether it is a size.
    fn is_size(&self) -> bool {
        match self {
            AxisNode::Size(_) => true,
            AxisNode::Prim(Prim::ToInt, of) => of[0].is_size(),
            _ => false,
        }
    }
}

/// The operand of a connective as a truth.
fn truth_of(node: &AxisNode, py: &Py) -> Py {
    match node.number() {
        Number::Truth => py.clone(),
        _ => Py { text: format!("({} != 0)", py.at(COMPARED + 1)), strength: ATOM, ..py.clone() },
    }
}

/// An expression with its dimensions in this order.
pub(super) fn transposed(py: &Py, axes: &[Axis]) -> Py {
    let order: Vec<usize> = axes.iter().filter_map(|axis| py.axes.iter().position(|own| own == axis)).collect();
    if order.iter().enumerate().all(|(k, own)| k == *own) {
        return py.clone();
    }
    let text = if order.len() == 2 {
        format!("{}.T", py.at(ATOM))
    } else {
        let order: Vec<String> = order.iter().map(usize::to_string).collect();
        format!("jnp.transpose({}, {})", py.text, tuple(&order))
    };
    Py { text, strength: ATOM, axes: axes.to_vec(), ..py.clone() }
}

/// A tuple of texts.
pub(super) fn tuple(all: &[String]) -> String {
    match all {
        [one] => format!("({one},)"),
        all => format!("({})", all.join(", ")),
    }
}

fn real(x: f64) -> Py {
    if x.is_nan() {
        return Py::plain("jnp.nan".to_owned(), ATOM);
    }
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let digits = if x.is_infinite() { "jnp.inf".to_owned() } else { format!("{:?}", x.abs()) };
    Py::plain(format!("{sign}{digits}"), if sign.is_empty() { ATOM } else { SIGN })
}
