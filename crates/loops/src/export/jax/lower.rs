//! Lowers first-order code to numbers over axes: a build is an axis, what has a name becomes a Python variable.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::names::PyNames;
use super::node::{Axis, AxisNode, AxisValue, Number, PyVar, ScatterNode};
use crate::first::{Expr, Guard, Lowered, Refusal, Scatter};
use redexter_language::ground::Name;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Prim, Size, SizeBounds, Type, TypeView};

/// An axis's length, the user's name for its index, and the block in which that is one number, since it is a step's.
#[derive(Clone, Debug)]
pub(super) struct AxisInfo {
    pub(super) size: Size,
    pub(super) hint: Rc<str>,
    pub(super) scalar_in: Option<usize>,
}

/// Statements: of the function, or of a step of a loop in it.
#[derive(Default)]
pub(super) struct Block {
    pub(super) lines: Vec<String>,
    /// Variables by their right sides.
    pub(super) known: FxHashMap<String, Rc<PyVar>>,
    /// What a step gets of arrays outside: the array with its own dimension in front, and the step's name for an element.
    pub(super) given: Vec<(String, Rc<PyVar>)>,
}

pub(super) struct JaxLowering {
    pub(super) axes: Vec<AxisInfo>,
    pub(super) blocks: Vec<Block>,
    pub(super) names: PyNames,
    /// Python's names of sizes.
    pub(super) sizes: FxHashMap<Name, String>,
    pub(super) bounds: SizeBounds,
    pub(super) env: FxHashMap<u32, AxisValue>,
    /// What holds in the branch that is lowered.
    pub(super) conditions: Vec<AxisNode>,
    /// What variables stand for, as functions of their dimensions.
    pub(super) definitions: FxHashMap<u32, (Vec<Axis>, AxisNode)>,
    pub(super) variables: u32,
    /// Whether the text mentions `dtype`.
    pub(super) uses_dtype: bool,
    /// Sizes over which data is split, with the mask of the indices that there are on a device.
    pub(super) shards: Vec<(Size, Rc<PyVar>)>,
    /// Why what is marked in the text can't be split.
    pub(super) refusals: Vec<Refusal>,
    /// What devices tell each other: its text, and the sizes of what each gets.
    pub(super) told: Vec<(String, Vec<Size>)>,
}

impl JaxLowering {
    pub(super) fn new(names: PyNames, sizes: FxHashMap<Name, String>, bounds: SizeBounds) -> JaxLowering {
        JaxLowering {
            axes: Vec::new(),
            blocks: vec![Block::default()],
            names,
            sizes,
            bounds,
            env: FxHashMap::default(),
            conditions: Vec::new(),
            definitions: FxHashMap::default(),
            variables: 0,
            uses_dtype: false,
            shards: Vec::new(),
            refusals: Vec::new(),
            told: Vec::new(),
        }
    }

    pub(super) fn axis(&mut self, size: &Size, hint: &str) -> Axis {
        self.axes.push(AxisInfo { size: size.clone(), hint: hint.into(), scalar_in: None });
        (self.axes.len() - 1) as Axis
    }

    pub(super) fn size_of(&self, axis: Axis) -> &Size {
        &self.axes[axis as usize].size
    }

    /// The number of the innermost block.
    pub(super) fn here(&self) -> usize {
        self.blocks.len() - 1
    }

    /// A variable that isn't defined by a node.
    pub(super) fn variable(&mut self, name: String, level: usize, number: Number, dims: Vec<Size>) -> Rc<PyVar> {
        self.variables += 1;
        let id = self.variables;
        Rc::new(PyVar { id, name, level, number, dims, is_weak: false, is_real_free: number != Number::Real })
    }

    /// Data of a type whose numbers are made from their place, for the axes of the arrays around each.
    pub(super) fn data(
        &mut self,
        ty: &Type,
        number: &mut dyn FnMut(&mut JaxLowering, &[Axis]) -> AxisNode,
    ) -> AxisValue {
        fn go(
            lower: &mut JaxLowering,
            ty: &Type,
            around: &mut Vec<Axis>,
            number: &mut dyn FnMut(&mut JaxLowering, &[Axis]) -> AxisNode,
        ) -> AxisValue {
            match ty.view() {
                TypeView::Pair(a, b) if goes_on() => {
                    let a = go(lower, a, around, number);
                    AxisValue::pair(a, go(lower, b, around, number))
                }
                TypeView::Array(n, element) if goes_on() => {
                    let axis = lower.axis(n, "i");
                    around.push(axis);
                    let element = go(lower, element, around, number);
                    around.pop();
                    AxisValue::Array(axis, Rc::new(element))
                }
                _ => AxisValue::Number(number(lower, around)),
            }
        }
        go(self, ty, &mut Vec::new(), number)
    }

    /// What an expression stands for.
    pub(super) fn value(&mut self, expr: &Expr) -> Lowered<AxisValue> {
        if !goes_on() {
            return Ok(AxisValue::Number(AxisNode::Int(0)));
        }
        Ok(match expr {
            Expr::Var(var) => match self.env.get(&var.number) {
                Some(value) => value.clone(),
                None => return Err(bug("a variable without a value")),
            },
            Expr::Real(x) => AxisValue::Number(AxisNode::Real(*x)),
            Expr::Int(k) => AxisValue::Number(AxisNode::Int(*k)),
            Expr::Size(name) => AxisValue::Number(AxisNode::Size(Size::var(name))),
            Expr::Prim(prim, of) => {
                let of = of.iter().map(|operand| self.node(operand)).collect::<Lowered<Vec<AxisNode>>>()?;
                AxisValue::Number(self.primitive(*prim, of))
            }
            Expr::Truth(a) => AxisValue::Number(truth(self.node(a)?)),
            Expr::Pair(p) => {
                let a = self.value(&p.0)?;
                AxisValue::pair(a, self.value(&p.1)?)
            }
            Expr::Half(a, first) => match self.value(a)? {
                AxisValue::Pair(p) => if *first { &p.0 } else { &p.1 }.clone(),
                _ => return Err(bug("half of what is no pair")),
            },
            Expr::Index(p) => {
                let array = self.value(&p.0)?;
                let index = self.node(&p.1)?;
                self.element(&array, index)?
            }
            Expr::Array(ty, items) => self.stack(ty, items)?,
            Expr::If(p) => {
                let condition = truth(self.node(&p.0)?);
                let condition = self.named_node("condition", condition);
                let a = self.within(condition.clone(), |lower| lower.value(&p.1))?;
                let b = self.within(negated(&condition), |lower| lower.value(&p.2))?;
                self.choice(&condition, &a, &b)?
            }
            Expr::Guard(guard) => self.guard(guard)?,
            Expr::Lets(lets, body) => {
                for (var, value) in lets {
                    let value = self.value(value)?;
                    let value = self.named(&var.hint, &value);
                    self.env.insert(var.number, value);
                }
                self.value(body)?
            }
            Expr::Fold(fold) => self.fold(fold, None)?,
            Expr::Scan(scan) => self.fold(&scan.fold, Some((scan.is_reversed, &scan.element)))?,
            Expr::Scatter(scatter) => self.scatter(scatter)?,
            Expr::Build(size, index, element) => {
                let axis = self.axis(size, &index.hint);
                self.env.insert(index.number, AxisValue::Number(AxisNode::Axis(axis)));
                AxisValue::Array(axis, Rc::new(self.value(element)?))
            }
        })
    }

    /// What a number stands for.
    fn node(&mut self, expr: &Expr) -> Lowered<AxisNode> {
        match self.value(expr)? {
            AxisValue::Number(node) => Ok(node),
            _ => Err(bug("data in the place of a number")),
        }
    }

    /// An element of an array.
    fn element(&mut self, array: &AxisValue, index: AxisNode) -> Lowered<AxisValue> {
        let AxisValue::Array(axis, element) = array else { return Err(bug("an element of what is no array")) };
        // An index that took work to find is found once, not for each number of the element.
        let index = self.named_index(index);
        let found = element.at(*axis, &index);
        // The element where the greatest is, is the greatest.
        Ok(found.map(&mut |node| match self.best(node, &index) {
            Some(best) => self.named_node("best", best),
            None => node.clone(),
        }))
    }

    fn named_index(&mut self, index: AxisNode) -> AxisNode {
        match index {
            AxisNode::Reduce(..) | AxisNode::Select(_) | AxisNode::Scatter(_) | AxisNode::Stack(..) => {
                self.named_node("index", index)
            }
            index => index,
        }
    }

    fn primitive(&mut self, prim: Prim, mut of: Vec<AxisNode>) -> AxisNode {
        // JAX's derivative of a choice asks both sides: what has no derivative where its side isn't taken would make that NaN.
        if let Some((k, safe)) = partial(prim)
            && let Some(condition) = self.conditions.iter().cloned().reduce(|a, b| AxisNode::prim(Prim::And, [a, b]))
        {
            let operand = &of[k];
            let own = operand.axes();
            if !operand.is_real_free() && condition.axes().iter().all(|axis| own.contains(axis)) {
                of[k] = AxisNode::select(condition, operand.clone(), AxisNode::Real(safe));
            }
        }
        AxisNode::prim(prim, of)
    }

    /// What `work` gives under a condition.
    fn within<T>(&mut self, condition: AxisNode, work: impl FnOnce(&mut JaxLowering) -> T) -> T {
        self.conditions.push(condition);
        let done = work(self);
        self.conditions.pop();
        done
    }

    /// One of two data of the same type.
    fn choice(&mut self, condition: &AxisNode, a: &AxisValue, b: &AxisValue) -> Lowered<AxisValue> {
        Ok(match (a, b) {
            (AxisValue::Number(a), AxisValue::Number(b)) => {
                AxisValue::Number(AxisNode::select(condition.clone(), a.clone(), b.clone()))
            }
            (AxisValue::Pair(p), AxisValue::Pair(q)) => {
                let first = self.choice(condition, &p.0, &q.0)?;
                AxisValue::pair(first, self.choice(condition, &p.1, &q.1)?)
            }
            (AxisValue::Array(p, a), AxisValue::Array(q, b)) => {
                let AxisInfo { size, hint, .. } = self.axes[*p as usize].clone();
                let axis = self.axis(&size, &hint);
                let (a, b) = (a.at(*p, &AxisNode::Axis(axis)), b.at(*q, &AxisNode::Axis(axis)));
                AxisValue::Array(axis, Rc::new(self.choice(condition, &a, &b)?))
            }
            _ => return Err(bug("a choice between data of different types")),
        })
    }

    fn guard(&mut self, guard: &Guard) -> Lowered<AxisValue> {
        let number = self.node(&guard.number)?;
        let number = if self.affine(&number).is_some() { number } else { self.named_node(&guard.index.hint, number) };
        let condition = self.is_index(&number, &guard.size);
        self.env.insert(guard.index.number, AxisValue::Number(number));
        let (condition, inside) = match condition {
            None => return self.value(&guard.inside),
            Some(condition) => {
                let inside = self.within(condition.clone(), |lower| lower.value(&guard.inside))?;
                (condition, inside)
            }
        };
        let other = self.within(negated(&condition), |lower| lower.value(&guard.other))?;
        self.choice(&condition, &inside, &other)
    }

    /// Where a number is an index below a size; nothing where it always is.
    fn is_index(&self, number: &AxisNode, size: &Size) -> Option<AxisNode> {
        let (mut low, mut high) = (true, true);
        if let Some((axis, true, rest)) = self.affine(number)
            && let Some(offset) = constant(&rest)
        {
            low = offset < 0;
            // The axis's last index and the offset: known to be below where the size is at least as much more.
            let end = match offset {
                0.. => self.size_of(axis).plus(&Size::literal(offset as u64)),
                _ => Some(self.size_of(axis).clone()),
            };
            high = end.is_none_or(|end| size.minus(&end).is_none());
        }
        let low = low.then(|| AxisNode::prim(Prim::Le, [AxisNode::Int(0), number.clone()]));
        let high = high.then(|| AxisNode::prim(Prim::Lt, [number.clone(), AxisNode::Size(size.clone())]));
        match (low, high) {
            (Some(low), Some(high)) => Some(AxisNode::prim(Prim::And, [low, high])),
            (low, high) => low.or(high),
        }
    }

    /// A literal array.
    fn stack(&mut self, ty: &Type, items: &[Expr]) -> Lowered<AxisValue> {
        let items = items.iter().map(|item| self.value(item)).collect::<Lowered<Vec<AxisValue>>>()?;
        let items: Vec<Vec<(Vec<Axis>, AxisNode)>> = items.iter().map(AxisValue::leaves).collect();
        let axis = self.axis(&Size::literal(items.len() as u64), "i");
        let mut k = 0;
        let element = self.data(ty, &mut |_, around| {
            let own = items.iter().filter_map(|leaves| leaves.get(k));
            let own = own.map(|(axes, node)| {
                axes.iter().zip(around).fold(node.clone(), |node, (from, to)| node.at(*from, &AxisNode::Axis(*to)))
            });
            let own = own.collect();
            k += 1;
            AxisNode::Stack(own, Rc::new(AxisNode::Axis(axis)))
        });
        Ok(AxisValue::Array(axis, Rc::new(element)))
    }

    fn scatter(&mut self, scatter: &Scatter) -> Lowered<AxisValue> {
        let over = self.axis(&scatter.rounds, &scatter.index.hint);
        self.env.insert(scatter.index.number, AxisValue::Number(AxisNode::Axis(over)));
        let AxisValue::Pair(entry) = self.value(&scatter.entry)? else { return Err(bug("a scatter of no pairs")) };
        let AxisValue::Number(key) = &entry.0 else { return Err(bug("a scatter to no number")) };
        let (key, may_miss) = match key {
            AxisNode::Prim(Prim::ToInt, of) => (of[0].clone(), false),
            key => (self.named_node("place", key.clone()), true),
        };
        let place = self.axis(&scatter.places, "place");
        let sum = |value: &AxisNode| {
            let (places, key, value) = (scatter.places.clone(), key.clone(), value.clone());
            AxisNode::Scatter(Rc::new(ScatterNode { over, places, key, may_miss, value, place: AxisNode::Axis(place) }))
        };
        Ok(AxisValue::Array(place, Rc::new(entry.1.map(&mut |value| sum(value)))))
    }

    /// The data under a name.
    pub(super) fn named(&mut self, hint: &str, value: &AxisValue) -> AxisValue {
        value.map(&mut |node| self.named_node(hint, node.clone()))
    }

    /// The number under a name, if it takes work; in the outermost block that has what it needs.
    pub(super) fn named_node(&mut self, hint: &str, node: AxisNode) -> AxisNode {
        if node.is_cheap() { node } else { self.assigned(hint, &node) }
    }

    /// The definition of what is only a variable, at the axes at which that is read.
    pub(super) fn resolved(&self, node: &AxisNode) -> AxisNode {
        if let AxisNode::Read(var, of) = node
            && let Some((axes, definition)) = self.definitions.get(&var.id)
            && axes.len() == of.len()
        {
            let whole = axes.iter().zip(of.iter()).fold(definition.clone(), |whole, (axis, by)| whole.at(*axis, by));
            return self.resolved(&whole);
        }
        node.clone()
    }

    /// The axis in a sum, whether it is added or taken off, and the rest of the sum, which has no axis.
    pub(super) fn affine(&self, node: &AxisNode) -> Option<(Axis, bool, AxisNode)> {
        match node {
            AxisNode::Axis(axis) => Some((*axis, true, AxisNode::Int(0))),
            AxisNode::Prim(Prim::ToInt, of) => self.affine(&of[0]),
            AxisNode::Prim(Prim::Offset(by), of) => {
                let (axis, sign, rest) = self.affine(&of[0])?;
                Some((axis, sign, plus(rest, AxisNode::Int(i64::try_from(*by).ok()?))))
            }
            AxisNode::Prim(prim @ (Prim::Add | Prim::Sub), of) => {
                let [a, b] = &of[..] else { return None };
                match (a.axes().is_empty(), b.axes().is_empty()) {
                    (false, true) => {
                        let (axis, sign, rest) = self.affine(a)?;
                        let rest = if *prim == Prim::Add { plus(rest, b.clone()) } else { minus(rest, b.clone()) };
                        Some((axis, sign, rest))
                    }
                    (true, false) => {
                        let (axis, sign, rest) = self.affine(b)?;
                        match prim {
                            Prim::Add => Some((axis, sign, plus(a.clone(), rest))),
                            _ => Some((axis, !sign, minus(a.clone(), rest))),
                        }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// A number that is known.
pub(super) fn constant(node: &AxisNode) -> Option<i64> {
    match node {
        AxisNode::Int(k) => Some(*k),
        AxisNode::Size(size) => size.as_literal().and_then(|k| i64::try_from(k).ok()),
        AxisNode::Prim(Prim::ToInt, of) => constant(&of[0]),
        AxisNode::Prim(Prim::Neg, of) => constant(&of[0])?.checked_neg(),
        _ => None,
    }
}

fn plus(a: AxisNode, b: AxisNode) -> AxisNode {
    match (constant(&a), constant(&b)) {
        (Some(0), _) => b,
        (_, Some(0)) => a,
        (Some(a), Some(b)) => AxisNode::Int(a.wrapping_add(b)),
        _ => AxisNode::prim(Prim::Add, [a, b]),
    }
}

fn minus(a: AxisNode, b: AxisNode) -> AxisNode {
    match (constant(&a), constant(&b)) {
        (_, Some(0)) => a,
        (Some(a), Some(b)) => AxisNode::Int(a.wrapping_sub(b)),
        _ => AxisNode::prim(Prim::Sub, [a, b]),
    }
}

/// Which operand of a function has values at which its derivative is infinite, and one at which it isn't.
fn partial(prim: Prim) -> Option<(usize, f64)> {
    match prim {
        Prim::Div | Prim::RoundedDiv => Some((1, 1.0)),
        Prim::Asin | Prim::Acos => Some((0, 0.5)),
        Prim::Exp | Prim::Expm1 | Prim::Log | Prim::Log1p | Prim::Sqrt | Prim::Sinh | Prim::Cosh | Prim::Tan => {
            Some((0, 1.0))
        }
        Prim::Lgamma | Prim::Digamma | Prim::Trigamma | Prim::RealPow | Prim::Pow | Prim::Atan2 => Some((0, 1.0)),
        _ => None,
    }
}

/// The truth of an integer.
fn truth(node: AxisNode) -> AxisNode {
    if node.number() == Number::Truth { node } else { AxisNode::Truth(Rc::new(node)) }
}

/// A condition that holds where the other doesn't.
fn negated(condition: &AxisNode) -> AxisNode {
    match condition {
        AxisNode::Prim(Prim::Not, of) => of[0].clone(),
        condition => AxisNode::prim(Prim::Not, [condition.clone()]),
    }
}

pub(super) fn bug(what: &str) -> Refusal {
    Refusal { reason: format!("there is {what} in it"), help: "report this as a bug" }
}
