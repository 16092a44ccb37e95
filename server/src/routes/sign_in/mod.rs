//! The pages for signing in and out, and the server functions about the session.

mod answered;
mod callback;
mod document;
mod identify;
mod login;
mod logout;
mod own_session;
mod page_access;
mod user_header;

pub use self::{
    answered::Answered,
    callback::call_back,
    identify::identify,
    login::{begin_sign_in, login, login_form, to_provider},
    logout::{logout, sign_out, signed_out},
    own_session::{renew, session},
    page_access::{enter, how_to_sign_in, session_view},
    user_header::{get_user, strip_user_header},
};
