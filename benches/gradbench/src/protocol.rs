//! The protocol of GradBench, on the side of the tool.
//!
//! Every message has an `id` and a `kind`, and is answered by one line with the same `id`. Only two kinds
//! want more than that: `define` asks for a module, `evaluate` for the value of a function of it.

use std::any::Any;
use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// What a function is called with: the text of its input.
pub type Function = fn(&RawValue) -> Result<Answer, String>;

/// A module that an eval may ask for.
pub struct Module {
    /// What it is called.
    pub name: &'static str,
    /// The functions in it, and what they are called.
    pub functions: &'static [(&'static str, Function)],
}

/// What a function answers.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// What the function gives.
    pub output: Box<RawValue>,
    /// How long each run took.
    pub timings: Vec<Timing>,
}

/// How long a part of the work took.
#[derive(Debug, Serialize)]
pub struct Timing {
    /// What the part is called.
    pub name: &'static str,
    /// The time it took.
    pub nanoseconds: u64,
}

#[derive(Deserialize)]
struct Message<'a> {
    id: Value,
    kind: String,
    module: Option<String>,
    function: Option<String>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct Response {
    id: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    success: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    answer: Option<Answer>,
}

impl Response {
    fn acknowledged(id: Value) -> Self {
        Self { id, tool: None, success: None, error: None, answer: None }
    }

    fn of(id: Value, outcome: Result<Option<Answer>, String>) -> Self {
        let success = Some(outcome.is_ok());
        match outcome {
            Ok(answer) => Self { success, answer, ..Self::acknowledged(id) },
            Err(error) => Self { success, error: Some(error), ..Self::acknowledged(id) },
        }
    }
}

/// Answers all messages of `input`, until it ends or nobody reads the answers any more.
pub fn serve(input: impl BufRead, mut output: impl Write, modules: &[Module]) -> io::Result<()> {
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        match write_response(&mut output, &respond(&line, modules)) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            outcome => outcome?,
        }
    }
    Ok(())
}

fn write_response(output: &mut impl Write, response: &Response) -> io::Result<()> {
    let mut line = serde_json::to_string(response)?;
    line.push('\n');
    output.write_all(line.as_bytes())?;
    output.flush()
}

fn respond(line: &str, modules: &[Module]) -> Response {
    let message: Message = match serde_json::from_str(line) {
        Ok(message) => message,
        Err(error) => {
            return Response::of(id_of(line), Err(format!("this is no message: {error}")));
        }
    };
    match message.kind.as_str() {
        "start" => Response { tool: Some("backsweep"), ..Response::acknowledged(message.id) },
        "define" => {
            let outcome = module_of(&message, modules).map(|_| None);
            Response::of(message.id, outcome)
        }
        "evaluate" => {
            let outcome = evaluate(&message, modules).map(Some);
            Response::of(message.id, outcome)
        }
        _ => Response::acknowledged(message.id),
    }
}

/// The `id` of a line that is no message, for whoever waits for an answer.
fn id_of(line: &str) -> Value {
    match serde_json::from_str(line) {
        Ok(Value::Object(mut fields)) => fields.remove("id").unwrap_or(Value::Null),
        _ => Value::Null,
    }
}

fn module_of<'m>(message: &Message, modules: &'m [Module]) -> Result<&'m Module, String> {
    let name = message.module.as_deref().ok_or("a module is not named")?;
    modules
        .iter()
        .find(|module| module.name == name)
        .ok_or_else(|| format!("there is no module `{name}`"))
}

fn evaluate(message: &Message, modules: &[Module]) -> Result<Answer, String> {
    let module = module_of(message, modules)?;
    let name = message.function.as_deref().ok_or("a function is not named")?;
    let (_, function) =
        module.functions.iter().find(|(function, _)| *function == name).ok_or_else(|| {
            format!("there is no function `{name}` in the module `{}`", module.name)
        })?;
    let input = message.input.ok_or("there is no input")?;
    panic::catch_unwind(AssertUnwindSafe(|| function(input)))
        .unwrap_or_else(|payload| Err(format!("panicked: {}", text_of(&*payload))))
}

fn text_of(payload: &dyn Any) -> &str {
    if let Some(text) = payload.downcast_ref::<&str>() {
        text
    } else {
        payload.downcast_ref::<String>().map_or("no text", |text| text)
    }
}
