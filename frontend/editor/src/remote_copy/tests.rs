use super::{answer, checked, copy, is_id, new_id};
use serde_json::{Value, json};

const ID: &str = "ab12-cd34-ef56-7890";
const HOST: &str = "backup.example";

#[test]
fn an_id_has_four_groups() {
    assert_eq!(checked(&format!(" {ID} ")), Ok(ID.to_owned()));
    assert!(is_id("AB12-CD34-EF56-7890"));
    for text in ["", "abc", "ab12-cd34-ef56", "ab12-cd34-ef56-789", "ab12-cd34-ef56-7890-1234", "ab1é-cd34-ef56-7890"]
    {
        assert_eq!(checked(text).unwrap_err(), "An id has the form `xxxx-xxxx-xxxx-xxxx`.", "{text}");
    }
}

#[test]
fn what_the_endpoint_refuses_is_explained_in_words() {
    for (status, body, said) in [
        (404, r#"{"errorMsg":"no such backup"}"#, "`backup.example` says: no such backup"),
        (200, r#"{"errorMsg":"wrong password"}"#, "`backup.example` says: wrong password"),
        (403, r#"{"message":"not allowed"}"#, "`backup.example` says: not allowed"),
        (403, r#"{"errorMsg":"","message":1}"#, "`backup.example` answers 403. Check the id and the password."),
        (502, "<html>", "`backup.example` answers 502. Check the id and the password."),
    ] {
        assert_eq!(answer(HOST, status, body).unwrap_err(), said);
    }
    assert_eq!(answer(HOST, 200, r#"{"message":"stored"}"#), Ok(json!({ "message": "stored" })));
    assert_eq!(answer(HOST, 204, ""), Ok(Value::Null));
}

#[test]
fn a_new_copy_needs_an_id() {
    assert_eq!(new_id(&json!({ "backupId": ID })), Ok(ID.to_owned()));
    for body in [json!({}), json!(null), json!({ "backupId": 1 }), json!({ "backupId": "1" })] {
        assert!(new_id(&body).unwrap_err().starts_with("The endpoint gives no id for the copy"), "{body}");
    }
}

#[test]
fn a_copy_is_found_in_both_forms_of_a_response() {
    for body in [json!({ "userData": "one" }), json!({ "userData": { "userData": "one", "subHash": "…" } })] {
        assert_eq!(copy(&body), Ok("one".to_owned()));
    }
    for body in [json!(null), json!({ "userData": "" }), json!({ "userData": {} }), json!({ "userData": 1 })] {
        assert_eq!(copy(&body).unwrap_err(), "The endpoint has no copy with this id and password.", "{body}");
    }
}
