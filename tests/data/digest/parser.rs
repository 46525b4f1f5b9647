//! Parser.
/* fn no() {} /* nested fn no2() {} */ fn no3() {} */
pub struct Parser<'a> { src: &'a str }
pub enum Token { Word(String), End }
pub trait Visit { fn visit(&mut self); }

impl<'a> Parser<'a> {
    pub fn new(src: &'a str) -> Self { Parser { src } }
    fn peek(&self) -> char { '"' }
}

pub(crate) async fn parse<T: Visit>(v: T) -> String {
    r#"fn fake() { "quoted" }"#.to_string()
}
