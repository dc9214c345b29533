//! Writes reductions: sums of products as one einsum each, what is added where data says as a scatter.

use std::rc::Rc;

use super::emit::{ATOM, PRODUCT, Py, SUM, tuple};
use super::lower::JaxLowering;
use super::node::{Axis, AxisNode, AxisReduction, Number, ScatterNode};
use redexter_language::term::Prim;

/// A product: what is multiplied, what it is divided by, whether it is taken off.
#[derive(Default)]
struct Factors {
    all: Vec<AxisNode>,
    below: Vec<AxisNode>,
    is_negative: bool,
}

impl JaxLowering {
    /// What all numbers along an axis come to together.
    pub(super) fn reduced(&mut self, how: AxisReduction, axis: Axis, body: &AxisNode, level: usize) -> Py {
        let function = match how {
            AxisReduction::Sum => return self.sum(vec![axis], body, level),
            AxisReduction::Product => "jnp.prod",
            AxisReduction::Max => "jnp.max",
            AxisReduction::Min => "jnp.min",
            AxisReduction::ArgMax => "jnp.argmax",
            AxisReduction::ArgMin => "jnp.argmin",
        };
        let size = self.size_of(axis).clone();
        let mut own = body.clone();
        let mut over_devices = None;
        if let Some(inside) = self.shard_of(axis) {
            let inside = AxisNode::Read(inside, [AxisNode::Axis(axis)].into());
            let (word, end) = match how {
                AxisReduction::Max => ("pmax", f64::NEG_INFINITY),
                AxisReduction::Min => ("pmin", f64::INFINITY),
                _ => ("", 0.0),
            };
            own = AxisNode::select(inside, own, AxisNode::Real(end));
            over_devices = Some(word);
        }
        let body = &own;
        let mut py = self.short(body, level);
        if !py.axes.contains(&axis) {
            let mut axes = py.axes.clone();
            axes.push(axis);
            let text = format!("jnp.broadcast_to({}[..., None], {})", py.at(ATOM), self.shape_text(&axes));
            py = Py { text, strength: ATOM, axes, ..py };
        }
        let end = match how {
            AxisReduction::Max if size.least(&self.bounds) == 0 => ", initial=-jnp.inf",
            AxisReduction::Min if size.least(&self.bounds) == 0 => ", initial=jnp.inf",
            _ => "",
        };
        let whole = self.along(function, &py, &[axis], end);
        let text = match over_devices {
            None => return whole,
            Some("") => self.refused(&format!("a loop over `{size}` finds an index, or a product"), &whole.text),
            Some(word) => {
                let text = format!("jax.lax.{word}({}, \"{}\")", whole.text, self.size_text(&size));
                self.tells(text, &whole.axes)
            }
        };
        Py { text, strength: ATOM, ..whole }
    }

    /// A function of an array that takes some axes together.
    fn along(&self, function: &str, py: &Py, over: &[Axis], end: &str) -> Py {
        let mut places: Vec<String> =
            over.iter().filter_map(|axis| py.axes.iter().position(|own| own == axis)).map(|k| k.to_string()).collect();
        places.sort();
        let at = match &places[..] {
            all if all.len() == py.axes.len() => String::new(),
            [one] => format!(", axis={one}"),
            all => format!(", axis=({})", all.join(", ")),
        };
        let axes = py.axes.iter().copied().filter(|axis| !over.contains(axis)).collect();
        Py { is_weak: py.is_weak, ..Py::atom(format!("{function}({}{at}{end})", py.text), axes) }
    }

    /// A sum along axes.
    fn sum(&mut self, mut over: Vec<Axis>, body: &AxisNode, level: usize) -> Py {
        match body {
            AxisNode::Reduce(AxisReduction::Sum, axis, body) => {
                over.push(*axis);
                return self.sum(over, body, level);
            }
            AxisNode::Prim(prim @ (Prim::Add | Prim::Sub), of)
                if of.iter().any(|part| self.is_contraction(&over, part, level)) =>
            {
                let (a, b) = (self.sum(over.clone(), &of[0], level), self.sum(over, &of[1], level));
                let sign = if *prim == Prim::Add { "+" } else { "-" };
                return self.infix(&a, &b, sign, (SUM, SUM, SUM + 1));
            }
            _ => {}
        }
        let mut factors = Factors::default();
        factors.gather(body, &over);
        if let [axis] = over[..]
            && let Some(scatter) = self.found(axis, &factors, level)
        {
            return self.emit(&scatter, level);
        }
        let mut devices: Vec<String> = Vec::new();
        for axis in &over {
            if let Some(inside) = self.shard_of(*axis)
                && factors.all.iter().any(|node| node.depends_on(*axis))
            {
                factors.all.push(mask(AxisNode::Read(inside, [AxisNode::Axis(*axis)].into())));
                devices.push(self.size_text(self.size_of(*axis)));
            }
        }
        let depends = |node: &AxisNode| over.iter().any(|axis| node.depends_on(*axis));
        let (inside, outside): (Vec<AxisNode>, Vec<AxisNode>) = factors.all.into_iter().partition(depends);
        // Each index that no factor depends on gives the same again.
        let missing = over.iter().filter(|axis| !inside.iter().any(|node| node.depends_on(**axis)));
        let sizes: Vec<AxisNode> = missing.map(|axis| AxisNode::Size(self.size_of(*axis).clone())).collect();
        let mut parts: Vec<Py> = outside.iter().chain(&sizes).map(|node| self.short(node, level)).collect();
        if !inside.is_empty() {
            let sum = self.product(&over, inside, level);
            parts.push(self.over_devices(sum, &devices));
        } else if parts.is_empty() {
            parts.push(self.emit(&AxisNode::Real(1.0), level));
        }
        let strengths = (PRODUCT, PRODUCT, PRODUCT + 1);
        let mut whole =
            parts.into_iter().reduce(|a, b| self.infix(&a, &b, "*", strengths)).unwrap_or(Py::atom("0", Vec::new()));
        for below in factors.below {
            let below = self.short(&below, level);
            whole = match whole.is_plain && below.is_plain {
                true => self.call("jnp.divide", &[whole, below]),
                false => self.infix(&whole, &below, "/", strengths),
            };
        }
        if factors.is_negative {
            let text = format!("-{}", whole.at(PRODUCT));
            whole = Py { text, strength: PRODUCT, ..whole };
        }
        whole
    }

    /// The sum of what devices have summed.
    fn over_devices(&mut self, sum: Py, devices: &[String]) -> Py {
        let names: Vec<String> = devices.iter().map(|name| format!("\"{name}\"")).collect();
        let all = match &names[..] {
            [] => return sum,
            [one] => one.clone(),
            all => tuple(all),
        };
        let text = self.tells(format!("jax.lax.psum({}, {all})", sum.text), &sum.axes);
        Py { text, strength: ATOM, ..sum }
    }

    /// Notes what devices tell each other.
    fn tells(&mut self, text: String, axes: &[Axis]) -> String {
        let sizes = axes.iter().map(|axis| self.size_of(*axis).clone()).collect();
        self.told.push((text.clone(), sizes));
        text
    }

    /// Whether a summand is a product of arrays with different axes.
    fn is_contraction(&self, over: &[Axis], node: &AxisNode, level: usize) -> bool {
        match node {
            AxisNode::Prim(Prim::Add | Prim::Sub, of) => of.iter().any(|part| self.is_contraction(over, part, level)),
            AxisNode::Reduce(AxisReduction::Sum, axis, body) => {
                self.is_contraction(&[over, &[*axis]].concat(), body, level)
            }
            node => {
                let mut factors = Factors::default();
                factors.gather(node, over);
                let mut all: Vec<Vec<Axis>> = factors
                    .all
                    .iter()
                    .filter(|node| over.iter().any(|axis| node.depends_on(*axis)))
                    .map(|node| self.real_axes(node, level))
                    .collect();
                all.dedup();
                all.len() > 1
            }
        }
    }

    /// The sum of a product, all of whose factors depend on an axis that it goes over.
    fn product(&mut self, over: &[Axis], factors: Vec<AxisNode>, level: usize) -> Py {
        let mut groups: Vec<(Vec<Axis>, Vec<AxisNode>)> = Vec::new();
        // Masks come last: they go to what has their axes, so that what they hide is never multiplied.
        let (zeros, rest): (Vec<AxisNode>, Vec<AxisNode>) = factors.into_iter().partition(|node| masks(node).is_some());
        for (node, is_mask) in
            rest.into_iter().map(|node| (node, false)).chain(zeros.into_iter().map(|node| (node, true)))
        {
            let axes = self.real_axes(&node, level);
            let fits = |own: &[Axis]| own == axes || is_mask && axes.iter().all(|axis| own.contains(axis));
            match groups.iter_mut().filter(|(own, _)| fits(own)).min_by_key(|(own, _)| own.len()) {
                Some((_, group)) => group.push(node),
                None => groups.push((axes, vec![node])),
            }
        }
        let groups: Vec<(Vec<Axis>, AxisNode)> =
            groups.into_iter().map(|(axes, all)| (axes, multiplied(all))).collect();
        let over: Vec<Axis> =
            over.iter().copied().filter(|axis| groups.iter().any(|(own, _)| own.contains(axis))).collect();
        if let [(_, node)] = &groups[..] {
            let py = self.short(node, level);
            return self.along("jnp.sum", &py, &over, "");
        }
        let mut operands: Vec<Py> = Vec::new();
        for (_, node) in &groups {
            let py = self.short(node, level);
            operands.push(self.as_real(node, py));
        }
        let mut axes: Vec<Axis> = operands.iter().flat_map(|py| py.axes.clone()).collect();
        axes.sort_unstable();
        axes.dedup();
        let letters = self.letters(&axes);
        let letter = |axis: &Axis| axes.iter().position(|own| own == axis).map_or('?', |k| letters[k]);
        let result: Vec<Axis> = axes.iter().copied().filter(|axis| !over.contains(axis)).collect();
        let ins: Vec<String> = operands.iter().map(|py| py.axes.iter().map(letter).collect()).collect();
        let out: String = result.iter().map(letter).collect();
        let texts: Vec<&str> = operands.iter().map(|py| py.text.as_str()).collect();
        Py::atom(format!("jnp.einsum(\"{}->{out}\", {})", ins.join(","), texts.join(", ")), result)
    }

    /// A truth or an integer as a real.
    fn as_real(&mut self, node: &AxisNode, py: Py) -> Py {
        if node.number() == Number::Real && !py.is_weak {
            return py;
        }
        self.uses_dtype = true;
        Py { text: format!("jnp.asarray({}, dtype)", py.text), strength: ATOM, is_weak: false, ..py }
    }

    /// A letter for each axis: that of its size's name or else of its index's, where no other has it.
    fn letters(&self, axes: &[Axis]) -> Vec<char> {
        let mut all: Vec<char> = Vec::new();
        for axis in axes {
            let size = self.size_text(self.size_of(*axis));
            let own = [size.chars().next(), self.axes[*axis as usize].hint.chars().next()];
            let own = own.into_iter().flatten().filter(char::is_ascii_lowercase);
            let letter = own.chain('a'..='z').chain('A'..='Z').find(|c| !all.contains(c));
            all.push(letter.unwrap_or('?'));
        }
        all
    }

    /// The scatter that a sum is whose rounds each find one place, by data.
    fn found(&self, over: Axis, factors: &Factors, level: usize) -> Option<AxisNode> {
        for (k, factor) in factors.all.iter().enumerate() {
            let AxisNode::Select(p) = factor else { continue };
            let (AxisNode::Prim(Prim::Eq, of), true) = (self.resolved(&p.0), p.2.is_zero()) else { continue };
            for (place, key) in [(&of[0], &of[1]), (&of[1], &of[0])] {
                let AxisNode::Axis(axis) = place else { continue };
                let is_key = key.depends_on(over) && !key.depends_on(*axis) && self.affine(key).is_none();
                if *axis == over || !self.is_real(*axis, level) || !is_key || p.1.number() != Number::Real {
                    continue;
                }
                let rest = factors.all.iter().enumerate().filter(|(m, _)| *m != k).map(|(_, node)| node.clone());
                let value =
                    std::iter::once(p.1.clone()).chain(rest).reduce(|a, b| AxisNode::prim(Prim::Mul, [a, b]))?;
                let value = factors.below.iter().fold(value, |a, b| AxisNode::prim(Prim::Div, [a, b.clone()]));
                let value = if factors.is_negative { AxisNode::prim(Prim::Neg, [value]) } else { value };
                return Some(AxisNode::Scatter(Rc::new(ScatterNode {
                    over,
                    places: self.size_of(*axis).clone(),
                    key: key.clone(),
                    may_miss: false,
                    value: value.at(*axis, key),
                    place: place.clone(),
                })));
            }
        }
        None
    }

    /// Sums to each of which some rounds add.
    pub(super) fn scattered(&mut self, scatter: &Rc<ScatterNode>, level: usize) -> Py {
        let place = match &scatter.place {
            AxisNode::Axis(axis) if self.is_real(*axis, level) => *axis,
            at => {
                // All sums get a name, and one of them is read.
                let axis = self.axis(&scatter.places, "place");
                let ScatterNode { over, places, key, may_miss, value, .. } = &**scatter;
                let whole = ScatterNode {
                    over: *over,
                    places: places.clone(),
                    key: key.clone(),
                    may_miss: *may_miss,
                    value: value.clone(),
                    place: AxisNode::Axis(axis),
                };
                let read = self.assigned("totals", &AxisNode::Scatter(Rc::new(whole)));
                return self.emit(&read.at(axis, at), level);
            }
        };
        self.uses_dtype = true;
        let over = scatter.over;
        let mut key = self.short(&scatter.key, level);
        // Each round is an element of the array of keys, also where all find the same place.
        if !key.axes.contains(&over) {
            let shape: Vec<Axis> = std::iter::once(over).chain(key.axes.iter().copied()).collect();
            key = Py {
                text: format!("jnp.broadcast_to({}, {})", key.text, self.shape_text(&shape)),
                strength: ATOM,
                axes: shape,
                ..key
            };
        }
        let beside: Vec<Axis> = key.axes.iter().copied().filter(|axis| *axis != over).collect();
        let (value, devices) = match self.shard_of(over) {
            None => (scatter.value.clone(), Vec::new()),
            Some(inside) => {
                let inside = AxisNode::Read(inside, [AxisNode::Axis(over)].into());
                let name = self.size_text(self.size_of(over));
                (AxisNode::select(inside, scatter.value.clone(), AxisNode::Real(0.0)), vec![name])
            }
        };
        let value = self.short(&value, level);
        let inner: Vec<Axis> =
            value.axes.iter().copied().filter(|axis| *axis != over && !beside.contains(axis)).collect();
        let first: Vec<Axis> = key.axes.clone();
        let mut ends = String::new();
        let mut at = self.aligned(&key, &first).text;
        if scatter.may_miss {
            // A place below 0 would be one from the end.
            let size = self.size_text(&scatter.places);
            at = format!("jnp.where({} < 0, {size}, {})", key.at(SUM), key.text);
            ends = ", mode=\"drop\"".to_owned();
        }
        for axis in &beside {
            let index = self.emit(&AxisNode::Axis(*axis), level);
            at += &format!(", {}", self.aligned(&index, &first).text);
        }
        let order: Vec<Axis> = first.iter().chain(&inner).copied().collect();
        let value = match value.axes.is_empty() {
            true => value,
            false => self.aligned(&value, &order),
        };
        let shape: Vec<Axis> = std::iter::once(place).chain(beside).chain(inner).collect();
        let zeros = format!("jnp.zeros({}, dtype)", self.shape_text(&shape));
        let mut whole = Py::atom(format!("{zeros}.at[{at}].add({}{ends})", value.text), shape);
        if self.is_split(&scatter.places) {
            whole.text = self.refused(&format!("`{}` sums are added to by data", scatter.places), &whole.text);
        }
        self.over_devices(whole, &devices)
    }
}

impl Factors {
    fn gather(&mut self, node: &AxisNode, over: &[Axis]) {
        match node {
            AxisNode::Prim(Prim::Mul, of) if node.number() == Number::Real => {
                of.iter().for_each(|a| self.gather(a, over))
            }
            AxisNode::Prim(Prim::Neg, of) => {
                self.is_negative = !self.is_negative;
                self.gather(&of[0], over);
            }
            AxisNode::Prim(Prim::Div, of) if !over.iter().any(|axis| of[1].depends_on(*axis)) => {
                self.below.push(of[1].clone());
                self.gather(&of[0], over);
            }
            node => self.all.extend(factors(node).unwrap_or_else(|| vec![node.clone()])),
        }
    }
}

/// What is multiplied in a number, choices between products having what both sides share in front; nothing for 0.
fn factors(node: &AxisNode) -> Option<Vec<AxisNode>> {
    match node {
        _ if node.number() != Number::Real => Some(vec![node.clone()]),
        zero if zero.is_zero() => None,
        AxisNode::Real(1.0) => Some(Vec::new()),
        AxisNode::Prim(Prim::Mul, of) => Some([factors(&of[0])?, factors(&of[1])?].concat()),
        AxisNode::Select(p) => match (factors(&p.1), factors(&p.2)) {
            (None, None) => None,
            (Some(all), None) => Some([all, vec![mask(p.0.clone())]].concat()),
            (None, Some(all)) => Some([all, vec![mask(AxisNode::prim(Prim::Not, [p.0.clone()]))]].concat()),
            (Some(mut a), Some(b)) => {
                let (mut shared, mut rest) = (Vec::new(), Vec::new());
                for node in b {
                    match a.iter().position(|own| *own == node) {
                        Some(k) => shared.push(a.remove(k)),
                        None => rest.push(node),
                    }
                }
                shared.push(AxisNode::select(p.0.clone(), multiplied(a), multiplied(rest)));
                Some(shared)
            }
        },
        node => Some(vec![node.clone()]),
    }
}

/// 1 where the condition holds, else 0.
fn mask(condition: AxisNode) -> AxisNode {
    AxisNode::select(condition, AxisNode::Real(1.0), AxisNode::Real(0.0))
}

/// The condition of what is 1 or 0.
fn masks(node: &AxisNode) -> Option<&AxisNode> {
    match node {
        AxisNode::Select(p) if p.1 == AxisNode::Real(1.0) && p.2.is_zero() => Some(&p.0),
        _ => None,
    }
}

/// The product, 0 where a mask is: what stands there is never asked, however it is.
fn multiplied(all: Vec<AxisNode>) -> AxisNode {
    let (zeros, rest): (Vec<AxisNode>, Vec<AxisNode>) = all.into_iter().partition(|node| masks(node).is_some());
    let product = rest.into_iter().reduce(|a, b| AxisNode::prim(Prim::Mul, [a, b])).unwrap_or(AxisNode::Real(1.0));
    zeros
        .iter()
        .filter_map(masks)
        .fold(product, |product, condition| AxisNode::select(condition.clone(), product, AxisNode::Real(0.0)))
}
