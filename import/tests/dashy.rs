//! Dashy: the text stays, and differences are noted.

use crate::{assert_noted, example, file, imported};
use import::Source;

#[test]
fn the_text_stays_as_it_is() {
    let files = example(Source::Dashy);
    let imported = imported(Source::Dashy, &files);
    assert_eq!(imported.yaml, files[0].text);
    let report = &imported.report;
    assert_eq!((report.sections, report.items, report.widgets), (1, 2, 2));
    assert_noted(report, "conf.yml", "(`/appConfig/madeUp`)");
    assert_noted(report, "conf.yml", "(`/appConfig/routingMode`)");
    assert_noted(report, "conf.yml, Tools / Lathe", "(`/sections/0/items/0/statusCheck`)");
    assert_noted(report, "conf.yml, Tools / no-such-thing", "no widget of the type");
}

#[test]
fn files_of_pages_are_named() {
    let mut files = example(Source::Dashy);
    files.insert(0, file("a-page.yml", "sections: []\n"));
    let imported = imported(Source::Dashy, &files);
    assert_eq!(imported.report.sections, 1);
    assert_noted(&imported.report, "a-page.yml", "as a separate page");
}
