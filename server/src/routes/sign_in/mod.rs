//! The pages for signing in and out, and the server functions about the session.

mod callback;
mod document;
mod function_response;
mod identify;
mod login;
mod logout;
mod own_session;
mod page_access;
mod user_header;

pub use self::{
    callback::call_back,
    function_response::FunctionResponse,
    identify::identify,
    login::{begin_sign_in, login, login_form, to_provider},
    logout::{logout, sign_out, signed_out},
    own_session::{renew, session},
    page_access::{enter, how_to_sign_in, offers_sign_in, session_view},
    user_header::{get_user, strip_user_header},
};
