//! The drawing behind a page: gradients, and small SVG drawings. It uses only the colors in the theme's file, so that
//! the contrast of text can be measured on each.

use std::fmt::Write as _;

use crate::file::{Backdrop, Drawing};

/// The declarations for the box behind the page.
pub fn of(backdrop: &Backdrop) -> String {
    let color = |at: usize| backdrop.colors.get(at).or(backdrop.colors.last()).map_or("#000", String::as_str);
    let last = color(backdrop.colors.len().saturating_sub(1));
    match backdrop.kind {
        Drawing::Mesh => format!(
            "background:radial-gradient(60vmax 45vmax at 12% 8%,{},transparent),radial-gradient(50vmax 50vmax at 92% 18%,\
             {},transparent),radial-gradient(70vmax 50vmax at 55% 105%,{},transparent),{}",
            color(1),
            color(2),
            color(3),
            color(0)
        ),
        Drawing::Lights => format!(
            "background:radial-gradient(90vw 22vh at 25% 12%,{},transparent),radial-gradient(70vw 30vh at 80% 22%,{},\
             transparent),radial-gradient(110vw 18vh at 45% 34%,{},transparent),{}",
            color(1),
            color(2),
            color(3),
            color(0)
        ),
        Drawing::Hills => scene(&color, ""),
        Drawing::Moon => {
            // A crescent, which cannot be mistaken for a part of the page, and stars.
            let mut sky = format!("<path fill='{last}' d='M1330 172a92 92 0 1 0 62 152 76 76 0 1 1-62-152z'/>");
            for (x, y, radius) in [(180, 250, 2.5), (420, 190, 2.0), (640, 300, 2.0), (930, 215, 2.5), (1120, 330, 2.0)]
            {
                _ = write!(sky, "<circle cx='{x}' cy='{y}' r='{radius}' fill='{last}'/>");
            }
            scene(&color, &sky)
        }
        Drawing::Stars => {
            let mut css = "background:".to_owned();
            for (x, y, radius) in
                [(40, 60, 1.2), (130, 210, 0.9), (220, 110, 1.5), (310, 290, 0.8), (75, 330, 1.1), (270, 30, 0.7)]
            {
                _ = write!(css, "radial-gradient({radius}px at {x}px {y}px,{last} 90%,transparent),");
            }
            _ = write!(css, "{};background-size:360px 360px", color(0));
            css
        }
        Drawing::Horizon => format!(
            "background:linear-gradient({0},{1} 62%,{2} 62%,{0}),{0}}}body::after{{content:\"\";position:fixed;\
             inset:62% -50% -40%;z-index:-1;background:repeating-linear-gradient(90deg,{3} 0 1px,transparent 0 70px),\
             repeating-linear-gradient({3} 0 1px,transparent 0 46px);transform:perspective(220px) rotateX(48deg);\
             transform-origin:top",
            color(0),
            color(1),
            color(2),
            color(3)
        ),
        Drawing::Scanlines => {
            format!("background:repeating-linear-gradient({} 0 1px,{} 0 3px)", color(1), color(0))
        }
        Drawing::Dots => {
            format!("background:radial-gradient({} 1px,transparent 1.5px) 0 0/22px 22px,{}", color(1), color(0))
        }
        Drawing::Stripes => format!(
            "background:linear-gradient(75deg,{0} 35%,transparent),repeating-linear-gradient(105deg,{0} 0 34px,{1} 38px 46px,\
             {0} 50px 96px,{1} 99px 119px,{0} 124px 150px)",
            color(0),
            color(1)
        ),
        Drawing::Cells => tile(
            "56",
            "98",
            &format!(
                "<path d='M28 1 55 17v32L28 65 1 49V17zM28 65v33' fill='none' stroke='{}' stroke-width='1.6'/>",
                color(1)
            ),
            color(0),
        ),
        Drawing::Petals => {
            let mut petals = String::new();
            for (x, y, turn, size) in
                [(40, 50, 20, 1.0), (210, 120, 75, 0.7), (120, 260, 140, 1.2), (300, 300, 40, 0.8), (330, 30, 200, 0.6)]
            {
                _ = write!(
                    petals,
                    "<path transform='translate({x} {y}) rotate({turn}) scale({size})' fill='{}' \
                     d='M0 0c9-13 25-12 32-2l-4 4 3 5C21 15 8 12 0 0z'/>",
                    color(1)
                );
            }
            tile("380", "360", &petals, color(0))
        }
        Drawing::Waves => {
            let mut water = format!("<path fill='{}' d='M0 0h1440v900H0z'/>", color(0));
            for (layer, paint) in backdrop.colors.iter().enumerate().skip(1) {
                let y = 330 + layer * 130;
                _ = write!(water, "<path fill='{paint}' d='M0 {y}q180-70 360 0t360 0 360 0 360 0v{}H0z'/>", 900 - y);
            }
            picture(&water)
        }
    }
}

/// Sky, ridges, and what is in the sky; the last color of a night is that of its moon.
fn scene<'a>(color: &impl Fn(usize) -> &'a str, sky: &str) -> String {
    let mut scene = format!(
        "<linearGradient id='s' x2='0' y2='1'><stop stop-color='{}'/><stop offset='1' stop-color='{}'/></linearGradient>\
         <path fill='url(#s)' d='M0 0h1440v900H0z'/>{sky}",
        color(0),
        color(1)
    );
    let ridges = [
        "M0 560 190 430 330 520 560 340 760 520 930 410 1160 560 1310 470 1440 540V900H0z",
        "M0 690 240 560 470 680 690 540 980 700 1200 590 1440 690V900H0z",
        "M0 800 300 700 640 810 900 720 1190 820 1440 750V900H0z",
    ];
    for (at, ridge) in ridges.into_iter().enumerate() {
        _ = write!(scene, "<path fill='{}' d='{ridge}'/>", color(at + 2));
    }
    picture(&scene)
}

fn picture(content: &str) -> String {
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1440 900' preserveAspectRatio='xMidYMax slice'>{content}</svg>"
    );
    format!("background:url(\"{}\") center/cover", address(&svg))
}

fn tile(width: &str, height: &str, content: &str, ground: &str) -> String {
    let svg = format!("<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'>{content}</svg>");
    format!("background:url(\"{}\") {ground}", address(&svg))
}

fn address(svg: &str) -> String {
    format!(
        "data:image/svg+xml,{}",
        svg.replace('%', "%25").replace('#', "%23").replace('<', "%3C").replace('>', "%3E")
    )
}
