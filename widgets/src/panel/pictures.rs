//! The pictures of a panel, for a server that serves them itself.

use super::{Entries, Forecast, Heading, Panel, Part, Picture, SafeUrl, Table};

/// The role of a picture in its panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The content of the widget.
    Content,
    /// Something small next to a text.
    Ornament,
}

impl Panel {
    /// Calls `change` with the address of every picture in the panel.
    pub fn change_pictures(&mut self, change: &mut dyn FnMut(&mut SafeUrl, Role)) {
        if let Some(title) = &mut self.title {
            in_heading(title, change);
        }
        in_parts(&mut self.parts, change);
    }
}

fn in_parts(parts: &mut [Part], change: &mut dyn FnMut(&mut SafeUrl, Role)) {
    for part in parts {
        match part {
            Part::Heading(heading) => in_heading(heading, change),
            Part::Entries(Entries { entries, .. }) => {
                let pictures = entries.iter_mut().flat_map(|entry| [&mut entry.picture, &mut entry.opposite]);
                pictures.for_each(|picture| in_picture(picture, change));
            }
            Part::Table(Table { rows, .. }) => {
                let cells = rows.iter_mut().flat_map(|row| &mut row.cells);
                cells.for_each(|cell| in_picture(&mut cell.picture, change));
            }
            Part::Image(image) => change(&mut image.url, Role::Content),
            Part::Details(details) => in_parts(&mut details.parts, change),
            Part::Forecast(Forecast { days, .. }) => days.iter_mut().for_each(|day| in_parts(&mut day.parts, change)),
            Part::Columns(columns) => columns.columns.iter_mut().for_each(|column| in_parts(column, change)),
            // Listed one by one, so that a new part with a picture is not forgotten here.
            Part::Paragraph(_)
            | Part::RichText(_)
            | Part::Headline(_)
            | Part::Stats(_)
            | Part::Facts(_)
            | Part::Rates(_)
            | Part::Meter(_)
            | Part::Gauge(_)
            | Part::Chart(_)
            | Part::Donut(_)
            | Part::Sparkline(_)
            | Part::Timeline(_)
            | Part::Weather(_)
            | Part::Month(_)
            | Part::HeatMap(_)
            | Part::QrCode(_)
            | Part::Clock(_)
            | Part::Search(_)
            | Part::Frame(_)
            | Part::Action(_)
            | Part::Notice(_)
            | Part::Space(_) => {}
        }
    }
}

fn in_heading(heading: &mut Heading, change: &mut dyn FnMut(&mut SafeUrl, Role)) {
    in_picture(&mut heading.picture, change);
}

fn in_picture(picture: &mut Option<Picture>, change: &mut dyn FnMut(&mut SafeUrl, Role)) {
    if let Some(picture) = picture {
        change(&mut picture.url, Role::Ornament);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, Columns, Details, ListEntry, Row};
    use super::*;

    #[test]
    fn every_picture_is_found() {
        let picture = |name: &str| Picture::parse(&format!("https://pictures.example/{name}"));
        let entries = Entries {
            entries: vec![ListEntry {
                picture: picture("entry"),
                opposite: picture("opposite"),
                ..ListEntry::default()
            }],
            ..Entries::default()
        };
        let cell = Cell { picture: picture("cell"), ..Cell::default() };
        let table = Table { rows: vec![Row { cells: vec![cell], ..Row::default() }], ..Table::default() };
        let heading = Heading { picture: picture("heading"), ..Heading::default() };
        let mut panel = Panel::new(vec![
            Details { parts: vec![entries.into()], ..Details::default() }.into(),
            Columns { columns: vec![vec![table.into()], vec![heading.clone().into()]] }.into(),
        ])
        .titled(Heading { picture: picture("title"), ..heading });
        let mut found = Vec::new();
        panel.change_pictures(&mut |url, _| {
            found.push(url.as_str().rsplit('/').next().unwrap_or_default().to_owned());
            if let Some(other) = SafeUrl::parse("/kept") {
                *url = other;
            }
        });
        assert_eq!(found, ["title", "entry", "opposite", "cell", "heading"]);
        panel.change_pictures(&mut |url, _| assert_eq!(url.as_str(), "/kept"));
    }
}
