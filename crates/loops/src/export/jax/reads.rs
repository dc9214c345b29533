//! Writes elements of arrays: by order, shape and slices where the indices are those of loops, by gathers where they are data.

use std::rc::Rc;

use super::emit::{ATOM, Py, SUM, transposed};
use super::lower::JaxLowering;
use super::node::{Axis, AxisNode, PyVar};
use redexter_language::term::{Prim, Size};

/// How one dimension is indexed.
enum Place {
    /// By an axis as long as it.
    Whole(Axis),
    /// From here on, forth or back, along an axis.
    Run(Axis, bool, AxisNode),
    /// By a number that is the same everywhere.
    Fixed(AxisNode),
    /// By a number that depends on axes.
    Gathered(AxisNode),
}

impl JaxLowering {
    /// Elements of a variable.
    pub(super) fn read(&mut self, var: &Rc<PyVar>, of: &[AxisNode], level: usize) -> Py {
        if let Some((var, of)) = self.given(var, of, level) {
            return self.read(&var, &of, level);
        }
        let mut places: Vec<Place> =
            of.iter().zip(&var.dims).map(|(index, dim)| self.place(index, dim, level)).collect();
        // An axis twice is a diagonal, and one that stands beside a gather by it goes along.
        let axes_of = |place: &Place| match place {
            Place::Whole(axis) | Place::Run(axis, ..) => vec![*axis],
            Place::Gathered(node) => self.real_axes(node, level),
            Place::Fixed(_) => Vec::new(),
        };
        let uses: Vec<Vec<Axis>> = places.iter().map(axes_of).collect();
        if let Some(diagonal) = self.diagonal(var, &places, &uses) {
            return diagonal;
        }
        for k in 0..places.len() {
            let is_shared = |axis: &Axis| (0..uses.len()).any(|m| m != k && uses[m].contains(axis));
            if let Place::Whole(axis) | Place::Run(axis, ..) = &places[k]
                && is_shared(axis)
            {
                places[k] = Place::Gathered(of[k].clone());
            }
        }
        let mut own = Py { is_weak: var.is_weak, ..Py::atom(var.name.clone(), Vec::new()) };
        if places.iter().all(|place| matches!(place, Place::Whole(_))) {
            own.axes = uses.concat();
            return own;
        }
        let is_own = |place: &Place, dim: &Size| match place {
            Place::Whole(_) => true,
            Place::Gathered(AxisNode::Axis(axis)) => self.size_of(*axis) == dim,
            _ => false,
        };
        if places.iter().zip(&var.dims).any(|(place, dim)| self.is_split(dim) && !is_own(place, dim)) {
            let what = format!("`{}` is read across devices, at an index that isn't a loop's", var.name);
            own.text = self.refused(&what, &own.text);
        }
        if places.iter().any(|place| matches!(place, Place::Gathered(_))) {
            return self.gather(own, &places, &var.dims, level);
        }
        let mut dims = Vec::new();
        for place in places {
            match place {
                Place::Whole(axis) => {
                    own.axes.push(axis);
                    dims.push(":".to_owned());
                }
                Place::Run(axis, is_forth, from) => {
                    own.axes.push(axis);
                    dims.push(self.slice(axis, is_forth, &from, level));
                }
                Place::Fixed(node) => dims.push(self.short(&node, level).text),
                Place::Gathered(_) => {}
            }
        }
        while dims.len() > 1 && dims.last().is_some_and(|dim| dim == ":") {
            dims.pop();
        }
        own.text = format!("{}[{}]", own.text, dims.join(", "));
        own
    }

    /// Elements with two equal indices.
    fn diagonal(&self, var: &PyVar, places: &[Place], uses: &[Vec<Axis>]) -> Option<Py> {
        let all = uses.concat();
        let twice = all.iter().find(|axis| all.iter().filter(|own| own == axis).count() == 2)?;
        if all.len() != uses.len() || !places.iter().all(|place| matches!(place, Place::Whole(_))) {
            return None;
        }
        let both: Vec<usize> = (0..all.len()).filter(|k| all[*k] == *twice).collect();
        let mut axes: Vec<Axis> = all.iter().copied().filter(|axis| axis != twice).collect();
        let is_simple = axes.iter().enumerate().all(|(k, axis)| !axes[..k].contains(axis));
        axes.push(*twice);
        let at = if all.len() == 2 { String::new() } else { format!(", axis1={}, axis2={}", both[0], both[1]) };
        let py = Py { is_weak: var.is_weak, ..Py::atom(format!("jnp.diagonal({}{at})", var.name), axes) };
        is_simple.then_some(py)
    }

    /// What the step of a loop is given in the place of an array outside that is read at the step's index.
    fn given(&mut self, var: &Rc<PyVar>, of: &[AxisNode], level: usize) -> Option<(Rc<PyVar>, Vec<AxisNode>)> {
        for (k, index) in of.iter().enumerate() {
            let Some((axis, true, from)) = self.affine(index) else { continue };
            let Some(own) = self.axes[axis as usize].scalar_in else { continue };
            let is_static = !from.any(&mut |part| matches!(part, AxisNode::Read(..) | AxisNode::Axis(_)));
            let fits = super::lower::constant(&from).is_some_and(|k| k >= 0) && (self.fits(axis, &from, &var.dims[k]));
            if own > level || var.level >= own || !is_static || !fits {
                continue;
            }
            let mut source = var.name.clone();
            if k > 0 {
                source = format!("jnp.moveaxis({source}, {k}, 0)");
            }
            let slice = self.slice(axis, true, &from, 0);
            if var.dims[k] != *self.size_of(axis) {
                source = format!("{source}[{slice}]");
            }
            let known = self.blocks[own].given.iter().find(|(text, _)| *text == source).map(|(_, var)| var.clone());
            let (mut dims, mut rest) = (var.dims.clone(), of.to_vec());
            dims.remove(k);
            rest.remove(k);
            let element = match known {
                Some(element) => element,
                None => {
                    let hint = format!("{}_{}", var.name, self.axes[axis as usize].hint);
                    let name = self.names.fresh(&hint);
                    self.variables += 1;
                    let (id, number, is_weak, is_real_free) =
                        (self.variables, var.number, var.is_weak, var.is_real_free);
                    let element = PyVar { id, name, level: own, number, dims, is_weak, is_real_free };
                    let element = Rc::new(element);
                    self.blocks[own].given.push((source, element.clone()));
                    element
                }
            };
            return Some((element, rest));
        }
        None
    }

    /// Whether all indices along an axis, from a number on, are below a size.
    fn fits(&self, axis: Axis, from: &AxisNode, dim: &Size) -> bool {
        let more = super::lower::constant(from).and_then(|k| u64::try_from(k).ok());
        let end = more.and_then(|k| self.size_of(axis).plus(&Size::literal(k)));
        end.is_some_and(|end| dim.minus(&end).is_some())
    }

    fn place(&mut self, index: &AxisNode, dim: &Size, level: usize) -> Place {
        if self.real_axes(index, level).is_empty() {
            return Place::Fixed(index.clone());
        }
        match self.affine(index) {
            Some((axis, is_forth, from)) if self.is_real(axis, level) => {
                let size = self.size_of(axis);
                if is_forth && from.is_zero() && size == dim {
                    return Place::Whole(axis);
                }
                let is_static = !from.any(&mut |part| matches!(part, AxisNode::Read(..) | AxisNode::Axis(_)));
                let is_inside = match (is_forth, super::lower::constant(&from)) {
                    (true, Some(k)) => k >= 0 && self.fits(axis, &from, dim),
                    // By its type it is an index: the size that it starts at is part of the array's.
                    (true, None) => from.only_adds_sizes(),
                    (false, _) => size == dim && from.is_last_of(dim),
                };
                if is_static && is_inside { Place::Run(axis, is_forth, from) } else { Place::Gathered(index.clone()) }
            }
            _ => Place::Gathered(index.clone()),
        }
    }

    /// The slice along an axis.
    fn slice(&mut self, axis: Axis, is_forth: bool, from: &AxisNode, level: usize) -> String {
        let size = self.length_text(self.size_of(axis));
        match (is_forth, from.is_zero()) {
            (false, _) => "::-1".to_owned(),
            (true, true) => format!(":{size}"),
            (true, false) => {
                let from = self.emit(from, level).at(SUM);
                format!("{from}:{from} + {size}")
            }
        }
    }

    /// Elements at places that are data: index arrays meet in front, or where they stand if they stand side by side.
    fn gather(&mut self, mut own: Py, places: &[Place], dims_of: &[Size], level: usize) -> Py {
        if let Some(moved) = self.rolled(&own, places, dims_of, level) {
            return moved;
        }
        let mut arrays = Vec::new();
        for place in places {
            match place {
                // A device counts its own part from 0.
                Place::Gathered(AxisNode::Axis(axis)) if self.shard_of(*axis).is_some() => {
                    let text = format!("jnp.arange({})", self.length_text(self.size_of(*axis)));
                    arrays.push(Py::atom(text, vec![*axis]));
                }
                Place::Gathered(node) | Place::Fixed(node) => arrays.push(self.short(node, level)),
                Place::Whole(_) | Place::Run(..) => {}
            }
        }
        let met = self.met(&arrays);
        let is_slice = |place: &Place| matches!(place, Place::Whole(_) | Place::Run(..));
        let first = places.iter().position(|place| !is_slice(place)).unwrap_or(0);
        let last = places.iter().rposition(|place| !is_slice(place)).unwrap_or(0);
        let is_together = !places[first..=last].iter().any(is_slice);
        let (mut dims, mut axes, mut taken) = (Vec::new(), Vec::new(), arrays.iter());
        if !is_together {
            axes.extend(&met);
        }
        for (k, place) in places.iter().enumerate() {
            match place {
                Place::Whole(axis) => {
                    axes.push(*axis);
                    dims.push(":".to_owned());
                }
                Place::Run(axis, is_forth, from) => {
                    axes.push(*axis);
                    dims.push(self.slice(*axis, *is_forth, from, level));
                }
                Place::Fixed(_) | Place::Gathered(_) => {
                    if is_together && k == first {
                        axes.extend(&met);
                    }
                    let array = taken.next().map(|py| self.aligned(py, &met).text);
                    dims.extend(array);
                }
            }
        }
        while dims.len() > 1 && dims.last().is_some_and(|dim| dim == ":") {
            dims.pop();
        }
        own.text = format!("{}[{}]", own.text, dims.join(", "));
        own.axes = axes;
        own
    }

    /// Neighbours: where an index is moved by a number, the array is rolled by it. What comes round is masked by whoever reads.
    fn rolled(&mut self, own: &Py, places: &[Place], dims: &[Size], level: usize) -> Option<Py> {
        let mut text = own.text.clone();
        let mut axes = Vec::new();
        for (k, place) in places.iter().enumerate() {
            let Place::Gathered(node) = place else {
                let Place::Whole(axis) = place else { return None };
                axes.push(*axis);
                continue;
            };
            let (axis, is_forth, from) = self.affine(node)?;
            let is_static = !from.any(&mut |part| matches!(part, AxisNode::Read(..) | AxisNode::Axis(_)));
            if !is_forth
                || !is_static
                || !self.is_real(axis, level)
                || *self.size_of(axis) != dims[k]
                || axes.contains(&axis)
            {
                return None;
            }
            axes.push(axis);
            let by = self.emit(&AxisNode::prim(Prim::Neg, [from.clone()]), level).text;
            let by = by.strip_prefix("--").map(str::to_owned).unwrap_or(by);
            let at = if places.len() == 1 { String::new() } else { format!(", axis={k}") };
            text = format!("jnp.roll({text}, {by}{at})");
        }
        Some(Py { text, strength: ATOM, axes, ..own.clone() })
    }

    /// One of some numbers, by its number.
    pub(super) fn stacked(&mut self, items: &[AxisNode], index: &AxisNode, level: usize) -> Py {
        if let (Some(k), false) = (super::lower::constant(index), items.is_empty())
            && let Some(item) = usize::try_from(k).ok().and_then(|k| items.get(k))
        {
            return self.emit(item, level);
        }
        let axis = match index {
            AxisNode::Axis(axis) if self.is_real(*axis, level) => *axis,
            _ => {
                // It gets a name, and is read at what the index is.
                let axis = self.axis(&Size::literal(items.len() as u64), "i");
                let whole = AxisNode::Stack(items.into(), Rc::new(AxisNode::Axis(axis)));
                let read = self.assigned("items", &whole);
                return self.emit(&read.at(axis, index), level);
            }
        };
        let items: Vec<Py> = items.iter().map(|item| self.short(item, level)).collect();
        let axes = self.met(&items);
        let shape = self.shape_text(&axes);
        let is_weak = items.iter().all(|item| item.is_weak);
        let texts: Vec<String> = items
            .iter()
            .map(|item| {
                let own = self.aligned(item, &axes);
                if item.axes.len() == axes.len() {
                    transposed(item, &axes).text
                } else {
                    format!("jnp.broadcast_to({}, {shape})", own.text)
                }
            })
            .collect();
        let text = match texts.is_empty() {
            true => "jnp.zeros(0)".to_owned(),
            false => format!("jnp.stack([{}])", texts.join(", ")),
        };
        let mut all = vec![axis];
        all.extend(axes);
        Py { is_weak, ..Py::atom(text, all) }
    }
}

impl AxisNode {
    /// Whether it is made of sizes and numbers that aren't below 0, by sums.
    fn only_adds_sizes(&self) -> bool {
        match self {
            AxisNode::Size(_) => true,
            AxisNode::Int(k) => *k >= 0,
            AxisNode::Prim(Prim::Add, of) => of.iter().all(AxisNode::only_adds_sizes),
            AxisNode::Prim(Prim::ToInt | Prim::Offset(_), of) => of[0].only_adds_sizes(),
            _ => false,
        }
    }

    /// Whether it is the size less 1.
    fn is_last_of(&self, size: &Size) -> bool {
        match self {
            AxisNode::Prim(Prim::Sub, of) => {
                matches!((&of[0], &of[1]), (AxisNode::Size(own), AxisNode::Int(1)) if own == size)
            }
            AxisNode::Int(k) => size.as_literal().is_some_and(|n| n as i64 == k + 1),
            AxisNode::Size(own) => own.plus(&Size::literal(1)).is_some_and(|more| more == *size),
            _ => false,
        }
    }
}
