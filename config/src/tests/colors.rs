//! What is a CSS colour, and what only pretends to be one.

use crate::color;

fn check(text: &str, expected: bool) {
    assert_eq!(color::parse(text).is_some(), expected, "{text:?}");
}

#[test]
fn colors() {
    for text in [
        "#fff",
        "#FFFF",
        "#1b2d3c",
        "#c30c844a",
        "red",
        "RebeccaPurple",
        "transparent",
        "currentColor",
        "rgb(1,2,3)",
        "rgba(1, 2, 3, .5)",
        "rgb(1 2 3 / 50%)",
        "rgb(10%,20%,30%)",
        "hsl(120deg 50% 50%)",
        "hsla(120, 50%, 50%, 0.3)",
        "hwb(0.5turn 0% 0%)",
        "lab(50% 40 59.5)",
        "lch(52.2% 72.2 50)",
        "oklab(59% 0.1 0.1 / .5)",
        "oklch(60% 0.15 50)",
        "oklch(from var(--a) l c h)",
        "color(display-p3 1 0.5 0)",
        "color(srgb 1 1 1 / 50%)",
        "color-mix(in srgb, red 40%, #00f)",
        "color-mix(in hsl longer hue, rgb(1,2,3), var(--x))",
        "var(--primary)",
        "var(--x, #fff)",
        "var(--x, var(--y, red))",
        "rgb(var(--r), 2, 3)",
        "hsl(calc(120 + 20) 50% 50%)",
        "light-dark(#fff, #000)",
        " gold ",
        "rgb(none 0 0)",
        "rgb(1e2 0 0)",
    ] {
        check(text, true);
    }
    for text in [
        "",
        "#ff",
        "#fffff",
        "#ggg",
        "notacolor",
        "rgb(1,2)",
        "rgb(1,2,3",
        "rgb(1,2,3))",
        "rgb(1,2,3); color: red",
        "red;",
        "red}",
        "url(x)",
        "rgb(url(x),1,1)",
        "expression(alert(1))",
        "var(x)",
        "var(--x;)",
        "var(--)",
        "var(--x, url(x))",
        "red blue",
        "rgb(1 2 3 / 4 / 5)",
        "#fff\"",
        "red/**/",
        "image(red)",
        "calc(1)",
        "rgb(calc(url(x)) 1 1)",
        "color(madeup 1 1 1)",
        "color-mix(in srgb, red)",
        "inherit",
        "</style>",
        "rgb(1,2,\"3\")",
        "var(--a,var(--a,var(--a,var(--a,var(--a,var(--a,red))))))",
    ] {
        check(text, false);
    }
}
