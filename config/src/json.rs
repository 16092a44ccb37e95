//! Reads JSON that has already been parsed. The browser parses it, so our bundle need not carry a parser.
//! `#[derive(FromJson)]` reads what `#[derive(Serialize)]` has written, following the same attributes.

pub use config_derive::FromJson;

/// A value of JSON.
pub trait Json: Sized {
    /// A member of an object, or an element of a list by its position; `None` if it is missing or null.
    fn member(&self, name: &str) -> Option<Self>;
    /// The elements of a list; empty for anything else.
    fn elements(&self) -> Vec<Self>;
    /// A text.
    fn text(&self) -> Option<String>;
    /// A number.
    fn number(&self) -> Option<f64>;
    /// A boolean.
    fn flag(&self) -> Option<bool>;
}

/// A type that can be read from JSON. Members of a struct that are missing or cannot be read get their default.
pub trait FromJson: Sized {
    /// The value, if it can be read.
    fn from_json(json: &impl Json) -> Option<Self>;
}

/// A member of an object, or its default.
pub fn member<T: FromJson + Default>(json: &impl Json, name: &str) -> T {
    json.member(name).and_then(|member| T::from_json(&member)).unwrap_or_default()
}

impl FromJson for String {
    fn from_json(json: &impl Json) -> Option<Self> {
        json.text()
    }
}

impl FromJson for bool {
    fn from_json(json: &impl Json) -> Option<Self> {
        json.flag()
    }
}

impl FromJson for usize {
    fn from_json(json: &impl Json) -> Option<Self> {
        let number = json.number()?;
        // Positions in a file and numbers of columns: small, and never negative.
        (number >= 0.0).then_some(number as Self)
    }
}

impl FromJson for u64 {
    fn from_json(json: &impl Json) -> Option<Self> {
        let number = json.number()?;
        // Sizes and times: less than 2 to the 53rd, and never negative.
        (number >= 0.0).then_some(number as Self)
    }
}

impl FromJson for u32 {
    fn from_json(json: &impl Json) -> Option<Self> {
        usize::from_json(json)?.try_into().ok()
    }
}

impl FromJson for u8 {
    fn from_json(json: &impl Json) -> Option<Self> {
        usize::from_json(json)?.try_into().ok()
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(json: &impl Json) -> Option<Self> {
        T::from_json(json).map(Some)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(json: &impl Json) -> Option<Self> {
        Some(json.elements().iter().filter_map(T::from_json).collect())
    }
}

impl<T: FromJson, U: FromJson> FromJson for (T, U) {
    fn from_json(json: &impl Json) -> Option<Self> {
        Some((T::from_json(&json.member("0")?)?, U::from_json(&json.member("1")?)?))
    }
}

/// For tests; the browser uses its own values.
#[cfg(feature = "read")]
impl Json for serde_json::Value {
    fn member(&self, name: &str) -> Option<Self> {
        let member = match self {
            Self::Array(list) => list.get(name.parse::<usize>().ok()?),
            _ => self.get(name),
        };
        member.filter(|member| !member.is_null()).cloned()
    }

    fn elements(&self) -> Vec<Self> {
        self.as_array().cloned().unwrap_or_default()
    }

    fn text(&self) -> Option<String> {
        self.as_str().map(str::to_owned)
    }

    fn number(&self) -> Option<f64> {
        self.as_f64()
    }

    fn flag(&self) -> Option<bool> {
        self.as_bool()
    }
}
