//! Says what Python finds in the module `redexter._redexter`.

use pyo3::prelude::*;
use redexter_allocator::CountingAllocator;

use crate::{answers, failure, model, native, programs, session, strategy, work};

/// Terms are many small allocations that come and go, and a session's limit on memory counts them.
#[global_allocator]
static ALLOCATOR: CountingAllocator<mimalloc::MiMalloc> = CountingAllocator(mimalloc::MiMalloc);

/// Runs the command line with these arguments, the name of the program first, and gives its exit code. It catches signals from
/// then on, so that it is for processes that do nothing else.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| redexter::cli::exit_code(arguments))
}

#[pymodule]
fn _redexter(module: &Bound<'_, PyModule>) -> PyResult<()> {
    failure::report_panics();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_class::<answers::Answer>()?;
    module.add_class::<programs::Derivation>()?;
    module.add_class::<programs::Page>()?;
    module.add_class::<programs::Stage>()?;
    module.add_class::<programs::Step>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<native::Native>()?;
    module.add_class::<session::Rule>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<strategy::Strategy>()?;
    module.add_class::<programs::Term>()?;
    module.add_class::<work::Work>()
}
