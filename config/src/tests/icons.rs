//! The forms of icons (docs/spec/config.md 11.1).

use crate::dashboard::IconView;
use crate::icon::{FaviconService, FontAwesomeStyle, Icon, letter};

fn check(text: &str, expected: Icon) {
    assert_eq!(Icon::parse(text), expected, "{text:?}");
}

fn font_awesome(style: FontAwesomeStyle, name: &str) -> Icon {
    Icon::FontAwesome { style, name: name.into() }
}

#[test]
fn pictures() {
    for (text, expected) in [
        ("https://host/x.png", Icon::Address("https://host/x.png".into())),
        ("https://host/fa-x", Icon::Address("https://host/fa-x".into())),
        ("data:image/png;base64,AA", Icon::Address("data:image/png;base64,AA".into())),
        ("maltrail.png", Icon::File("maltrail.png".into())),
        ("networking/monit.svg", Icon::File("networking/monit.svg".into())),
        ("UPPER.PNG", Icon::File("UPPER.PNG".into())),
        ("a.jpeg", Icon::File("a.jpeg".into())),
        ("a.webp", Icon::File("a.webp".into())),
        ("a.gif", Icon::File("a.gif".into())),
        ("a.ico", Icon::File("a.ico".into())),
        ("a.avif", Icon::File("a.avif".into())),
        ("si-like.png", Icon::File("si-like.png".into())),
        ("./item-icons/x.png", Icon::File("x.png".into())),
        ("item-icons/x.png", Icon::File("x.png".into())),
        ("/item-icons/x.png", Icon::WebRoot("/item-icons/x.png".into())),
        ("/web-icons/logo", Icon::WebRoot("/web-icons/logo".into())),
        ("../secret.png", Icon::Unknown("../secret.png".into())),
        ("/a/../secret.png", Icon::Unknown("/a/../secret.png".into())),
        ("//host/x.png", Icon::Unknown("//host/x.png".into())),
        ("javascript:x.png", Icon::Unknown("javascript:x.png".into())),
    ] {
        check(text, expected);
    }
}

#[test]
fn glyphs() {
    use FontAwesomeStyle::{Brands, Duotone, Light, Regular, Sharp, Solid, Thin};
    for (text, expected) in [
        ("fas fa-rocket", font_awesome(Solid, "rocket")),
        ("fab fa-github", font_awesome(Brands, "github")),
        ("far fa-book", font_awesome(Regular, "book")),
        ("fal fa-desktop", font_awesome(Light, "desktop")),
        ("fad fa-desktop", font_awesome(Duotone, "desktop")),
        ("fat fa-desktop", font_awesome(Thin, "desktop")),
        ("fass fa-desktop", font_awesome(Sharp, "desktop")),
        ("fa-solid fa-house", font_awesome(Solid, "house")),
        ("fa-house fa-regular", font_awesome(Regular, "house")),
        ("fa fa-cog fa-spin fa-2x", font_awesome(Solid, "cog")),
        ("fas fa-fw fa-cog", font_awesome(Solid, "cog")),
        ("fa-house", font_awesome(Solid, "house")),
        ("FAS FA-Rocket", font_awesome(Solid, "rocket")),
        ("fas fa-1", font_awesome(Solid, "1")),
        ("mdi-alien", Icon::MaterialDesign("alien".into())),
        ("mdi-alien mdi-spin", Icon::MaterialDesign("alien".into())),
        ("mdi mdi-alien mdi-48px", Icon::MaterialDesign("alien".into())),
        ("si-portainer", Icon::SimpleIcons("portainer".into())),
        ("hl-AdGuard-Home", Icon::Homelab("adguard-home".into())),
        ("sh-home-assistant", Icon::Selfhst("home-assistant".into())),
        ("sofa-bed", Icon::Unknown("sofa-bed".into())),
        ("fas", Icon::Unknown("fas".into())),
        ("si-../x", Icon::Unknown("si-../x".into())),
        ("hl-", Icon::Unknown("hl-".into())),
    ] {
        check(text, expected);
    }
}

#[test]
fn favicons_and_the_rest() {
    for (text, expected) in [
        ("favicon", Icon::Favicon(None)),
        ("favicon-google", Icon::Favicon(Some(FaviconService::Google))),
        ("favicon-local", Icon::Favicon(Some(FaviconService::Local))),
        ("favicon-bing", Icon::FaviconOfUnknown("bing".into())),
        ("favicons", Icon::Unknown("favicons".into())),
        ("generative", Icon::Generative),
        ("🚀", Icon::Emoji("🚀".into())),
        ("👩‍💻", Icon::Emoji("👩‍💻".into())),
        ("🇩🇪", Icon::Emoji("🇩🇪".into())),
        ("1️⃣", Icon::Emoji("1️⃣".into())),
        ("☁️", Icon::Emoji("☁️".into())),
        ("🎨 Art", Icon::Emoji("🎨".into())),
        (":rocket:", Icon::Emoji("🚀".into())),
        (":computer:", Icon::Emoji("💻".into())),
        ("U+1F680", Icon::Emoji("🚀".into())),
        ("u+1f468 U+200D U+1F4BB", Icon::Emoji("👨‍💻".into())),
        ("U+0000", Icon::Unknown("U+0000".into())),
        ("U+D800", Icon::Unknown("U+D800".into())),
        (":nothing-like-it:", Icon::Unknown(":nothing-like-it:".into())),
        ("rocket", Icon::Unknown("rocket".into())),
        ("404", Icon::Unknown("404".into())),
        ("日本", Icon::Unknown("日本".into())),
    ] {
        check(text, expected);
    }
}

#[test]
fn letters() {
    for (title, expected) in [
        ("portainer", IconView::Letter("P".into())),
        ("«élan»", IconView::Letter("É".into())),
        ("!!", IconView::Letter("!".into())),
        ("ß", IconView::Letter("SS".into())),
        ("", IconView::None),
    ] {
        assert_eq!(letter(title), expected);
    }
}
