//! What an API handler may know about the caller: [`Reader`] and [`Admin`] can only be created by a check.

use config::Viewer;

/// How a caller proved who they are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Proof {
    /// With an `Authorization` header, which no other site can make a browser send.
    Authorization,
    /// Through a trusted proxy, which vouches for every request that it forwards.
    Proxy,
    /// Not at all: no kind of sign-in is configured.
    Nothing,
}

/// Someone who may call the API.
#[derive(Clone, Debug)]
pub struct Caller {
    viewer: Viewer,
    proof: Proof,
}

/// The right to read.
#[derive(Clone, Debug)]
pub struct Reader(Caller);

/// The right to read and write.
#[derive(Clone, Debug)]
pub struct Admin(Caller);

/// The caller is not an admin, and only admins may write.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NotAdmin;

impl Caller {
    pub(crate) fn new(viewer: Viewer, proof: Proof) -> Self {
        Self { viewer, proof }
    }

    /// How the caller proved who they are.
    pub fn proof(&self) -> Proof {
        self.proof
    }

    /// Anyone who may call the API may read.
    pub fn into_reader(self) -> Reader {
        Reader(self)
    }

    /// Only admins may write.
    ///
    /// # Errors
    ///
    /// [`NotAdmin`].
    pub fn into_admin(self) -> Result<Admin, NotAdmin> {
        if self.viewer.is_admin() { Ok(Admin(self)) } else { Err(NotAdmin) }
    }
}

impl Admin {
    /// Who it is, for the log.
    pub fn name(&self) -> &str {
        match (self.0.viewer.person(), self.0.proof) {
            (Some(person), _) => &person.name,
            (None, Proof::Authorization) => "the API token",
            (None, _) => "someone without sign-in",
        }
    }
}

impl Reader {
    /// Whether the reader may also write, and may therefore see users' credentials.
    pub fn is_admin(&self) -> bool {
        self.0.viewer.is_admin()
    }
}
