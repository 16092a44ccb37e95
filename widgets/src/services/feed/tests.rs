//! Feeds as a whole, and how they are fetched.

use futures_util::FutureExt;

use super::*;
use crate::Moment;
use crate::{Case, Recorded};

fn replay(exchanges: serde_json::Value) -> Recorded {
    let case = Case { exchanges: serde_json::from_value(exchanges).unwrap(), ..Case::default() };
    case.recorded(|file| std::fs::read(file)).unwrap()
}

#[test]
fn a_feed_that_has_not_changed_is_not_sent_again() {
    let url = "https://blog.example.org/feed.xml";
    let recorded = replay(json!([
        { "request": { "url": url },
          "response": { "headers": { "ETag": "\"1\"", "Last-Modified": "Sat, 21 Nov 2026 09:00:00 GMT" },
                        "body": "<rss version='2.0'><channel><title>Blog</title></channel></rss>" } },
        { "request": { "url": url, "headers": { "If-None-Match": "\"1\"",
                                                "If-Modified-Since": "Sat, 21 Nov 2026 09:00:00 GMT" } },
          "response": { "status": 304 } },
    ]));
    let first = fetch(&recorded, url).now_or_never().unwrap();
    let second = fetch(&recorded, url).now_or_never().unwrap();
    assert_eq!(first.as_ref().map(|feed| feed.title.as_str()), Ok("Blog"));
    assert_eq!(first, second);
    assert_eq!(recorded.unused(), Vec::<&str>::new());
}

#[test]
fn pictures_of_posts_have_an_order() {
    let (enclosure, content) = (
        "<enclosure url='https://a.example/e.png' type='image/png' length='1'/>",
        "<media:content url='https://a.example/c.jpg' type='image/jpeg'/>",
    );
    let (thumbnail, cover) =
        ("<media:thumbnail url='https://a.example/t.png'/>", "<itunes:image href='https://a.example/i.png'/>");
    let text = "<description>&lt;img src='https://a.example/d.png'&gt;</description>";
    for (item, expected) in [
        ([enclosure, content, thumbnail, cover, text].concat(), Some("t")),
        ([enclosure, content, cover, text].concat(), Some("c")),
        ([enclosure, cover, text].concat(), Some("e")),
        ([text, cover].concat(), Some("i")),
        (text.to_owned(), Some("d")),
        ("<enclosure url='https://a.example/e.mp3' type='audio/mpeg' length='1'/>".to_owned(), None),
    ] {
        let feed = format!(
            "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/' \
            xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><item>{item}</item></channel></rss>"
        );
        assert_eq!(picture_of(&feed).as_deref(), expected, "{item}");
    }
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>urn:1</id><title>A</title>\
        <link rel='enclosure' type='audio/mpeg' href='https://a.example/e.mp3'/>\
        <link rel='enclosure' type='image/png' href='https://a.example/e.png'/></entry></feed>";
    assert_eq!(picture_of(atom).as_deref(), Some("e"));
}

/// The name of the picture of the first post, without its extension.
fn picture_of(feed: &str) -> Option<String> {
    let url = "https://a.example/feed.xml";
    let recorded = replay(json!([{ "request": { "url": url }, "response": { "body": feed } }]));
    let feed = fetch(&recorded, url).now_or_never().unwrap().unwrap();
    let picture = feed.posts.into_iter().next()?.picture?;
    Some(picture.rsplit('/').next()?.split('.').next()?.to_owned())
}

#[test]
fn markup_in_json_is_no_depth() {
    let text = "line<br>".repeat(300);
    let item = json!({ "id": 1, "title": "Poem", "content_html": text });
    let body = json!({ "version": "https://jsonfeed.org/version/1.1", "items": [item] }).to_string().into_bytes();
    let host = "a.example".to_owned();
    let reply = Response { status: 200, headers: Vec::new(), body, host, received: Moment::default() };
    let feed = read(&reply, "https://a.example/").unwrap();
    assert_eq!(feed.posts.iter().map(|post| post.title.as_str()).collect::<Vec<_>>(), ["Poem"]);
}

#[test]
fn a_feed_that_is_very_deep_does_no_harm() {
    let deep = "<div>".repeat(100_000);
    let body = format!("<rss version='2.0'><channel><title>x</title><item><description>{deep}</description></item>");
    let reply = Response {
        status: 200,
        headers: Vec::new(),
        body: body.into_bytes(),
        host: "a.example".to_owned(),
        received: Moment::default(),
    };
    assert!(read(&reply, "https://a.example/").is_err());
}

fn read_text(file: &str) -> Result<Feed, FetchError> {
    let (body, host) = (file.as_bytes().to_vec(), "a.example".to_owned());
    let reply = Response { status: 200, headers: Vec::new(), body, host, received: Moment::default() };
    read(&reply, "https://a.example/feed")
}

#[test]
fn feeds_of_all_times_have_their_posts() {
    let item = "<title>Rain</title><link>https://a.example/1</link>";
    let rss = format!("<channel><title>x</title><item>{item}</item></channel>");
    let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'";
    let dated = "<title>Rain</title><dc:creator>Ben</dc:creator><dc:date>2026-11-20</dc:date>\
        <content:encoded>Long</content:encoded><media:thumbnail url='https://a.example/t.png'/><media:title>No</media:title>";
    let dated = format!("<channel><title>x</title><item>{dated}</item></channel>");
    let (short, long) = ("Rain", "Rain|Ben|1795132800|Long|t.png");
    for (file, expected) in [
        (format!("<rss version='0.93'>{rss}</rss>"), short),
        (format!("<rss version='2'>{rss}</rss>"), short),
        (format!("<rss>{rss}</rss>"), short),
        (format!("<rss version='2.0' xmlns='http://backend.userland.com/rss2'>{rss}</rss>"), short),
        (
            format!(
                "<rdf:RDF {rdf} xmlns='http://my.netscape.com/rdf/simple/0.9/'><channel><title>x</title></channel>\
                <item>{item}</item></rdf:RDF>"
            ),
            short,
        ),
        (format!("<rss version='2.0'>{dated}</rss>"), long),
        (
            format!(
                "<rss version='2.0' xmlns:dc='https://purl.org/dc/elements/1.1' \
                xmlns:content='http://purl.org/rss/1.0/modules/content' xmlns:media='http://search.yahoo.com/mrss'>\
                {dated}</rss>"
            ),
            long,
        ),
        (
            "<feed xmlns='http://www.w3.org/2005/Atom'><title type='text/plain'>x</title><entry>\
            <title type='text/plain'>Rain</title><author><name>Ben</name></author><updated>2026-11-20</updated>\
            <content type='application/xhtml+xml'><div>Long <img src='https://a.example/t.png'/></div></content>\
            </entry></feed>"
                .to_owned(),
            long,
        ),
        (
            "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>x</title><tagline>y</tagline><entry>\
            <title mode='escaped' type='text/plain'>Rain</title><author><name>Ben</name></author>\
            <issued>2026-11-20T00:00:00Z</issued><modified>2026-11-21T00:00:00Z</modified>\
            <content type='application/xhtml+xml'><div>Long <img src='https://a.example/t.png'/></div></content>\
            </entry></feed>"
                .to_owned(),
            long,
        ),
    ] {
        let feed = read_text(&file).unwrap();
        let post = feed.posts.first().unwrap();
        let pieces = [
            Some(post.title.clone()),
            post.author.clone(),
            post.date.map(|date| (date.millis() / 1000).to_string()),
            Some(post.text.clone()).filter(|text| !text.is_empty()),
            post.picture.as_deref().and_then(|picture| picture.rsplit('/').next()).map(str::to_owned),
        ];
        assert_eq!(pieces.into_iter().flatten().collect::<Vec<_>>().join("|"), expected, "{file}");
    }
}

#[test]
fn unreadable_posts_are_not_reported_as_an_empty_feed() {
    for (file, sentence) in [
        ("<rss version='2.0'><channel/><item><link>javascript:</link></item></rss>", ""),
        (
            "<rss version='2.0'><channel/><item><x:title>a</x:title></item></rss>",
            "The posts of the feed cannot be read.",
        ),
        ("<rss version='2.0'><channel><item xmlns='urn:x'/></channel></rss>", "The posts of the feed cannot be read."),
        ("<rss version='2.0'><channel><title>x</title><!-- <item/> --></channel></rss>", ""),
        ("<rdf:RDF><channel><items/></channel></rdf:RDF>", ""),
        ("<rss version='2.0'><channel><x:list xmlns:x='urn:x'><x:item>a</x:item></x:list></channel></rss>", ""),
        ("<feed xmlns='http://www.w3.org/2005/Atom'><title>x</title><media:item/><item/></feed>", ""),
        (
            "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:title>x</a:title><b><a:entry/></b></a:feed>",
            "The posts of the feed cannot be read.",
        ),
    ] {
        let error = read_text(file).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(error, sentence, "{file}");
    }
}

#[test]
fn nothing_hides_elements_from_the_limits() {
    let channel = |levels: usize| {
        let deep = ["<media:content>".repeat(levels), "</media:content>".repeat(levels)].concat();
        format!("<channel><item><title>Rain</title>{deep}</item></channel></rss>")
    };
    let root = "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'>";
    for before in [
        root.to_owned(),
        format!("<?x ' ?>{root}"),
        format!("{root}<!--> <![CDATA[ -->"),
        format!("{root}<!---> <![CDATA[ -->"),
        format!("<!DOCTYPE rss [<!-- ' -->]>{root}"),
        format!("{root}<a b='<!--'></a>"),
        // The missing parts are inserted into the file; this must not reopen what was closed.
        format!("<?x '><rss version='2.0'> ?>{root}"),
        "<rss version='9' a='<!--' b=\"'\">".to_owned(),
    ] {
        let kept = read_text(&format!("{before}{}", channel(247))).unwrap_or_default();
        assert_eq!(kept.posts.iter().map(|post| post.title.as_str()).collect::<Vec<_>>(), ["Rain"], "{before}");
        let broken = read_text(&format!("{before}{}", channel(60_000)));
        assert_eq!(
            broken.err().map(|error| error.to_string()).as_deref(),
            Some("Not a feed: check the option rssUrl."),
            "{before}"
        );
    }
}

#[test]
fn what_stands_before_a_feed_does_not_hide_it() {
    for file in [
        "<?generator don't panic ?><rss version=\"0.94\">",
        "<!DOCTYPE rss [ <!-- it's --> <!ENTITY nbsp \"&#160;\"> ]><rss>",
        "<!--> <rss version='1'> --><rss>",
    ] {
        let feed = read_text(&format!("{file}<channel><item><title>R&D</title></item></channel></rss>")).unwrap();
        assert_eq!(feed.posts[0].title, "R&D", "{file}");
    }
}

#[test]
fn content_of_any_type_does_no_harm_to_the_feed() {
    for (content, text) in [
        ("<content type='text/xml'><p>Wet <b>day</b></p></content>", "Wet day"),
        ("<content type='application/xml'><p>Wet</p></content>", "Wet"),
        ("<content type='text/markdown'>a &lt; b</content>", "a < b"),
        ("<content type='text/markdown'/>", ""),
        ("<content type='text/xml'/>", ""),
        ("<content type='image/png'>iVBORw0KGgo=</content>", ""),
        ("<content type='image/png'/>", ""),
        ("<content type='text/plain' src='https://a.example/1.txt'/>", ""),
        ("<content type='xhtml' src='https://a.example/1'/>", ""),
        ("<content type='text/markdown' src='https://a.example/1.md'/>", ""),
    ] {
        let file = format!(
            "<feed xmlns='http://www.w3.org/2005/Atom'><title>x</title><entry><title>Rain</title>{content}</entry></feed>"
        );
        let feed = read_text(&file).unwrap();
        assert_eq!((feed.posts[0].title.as_str(), feed.posts[0].text.as_str()), ("Rain", text), "{content}");
    }
}

#[test]
fn posts_without_a_title_are_called_by_what_they_have() {
    for (text, url, expected) in [
        ("Words", Some("https://a.example/1"), "Words"),
        ("", Some("https://a.example/@anna/2026/gr%C3%BC%C3%9Fe%20und%0Amehr/?a=b#c"), "grüße und mehr"),
        ("", Some("https://a.example/%FF%20"), "\u{fffd}"),
        ("", Some("https://a.example/%20/"), "a.example"),
        ("", Some("https://a.example?p=1"), "a.example"),
        ("", Some("mailto:anna@a.example"), ""),
        ("", Some("javascript:alert(1)"), ""),
        ("", Some("no address"), ""),
        ("", None, ""),
    ] {
        let post = Post::new(String::new(), url.map(str::to_owned), None, None, None, text.to_owned());
        assert_eq!(post.title, expected, "{url:?}");
        assert_eq!(post.is_blank(), url.is_none(), "{url:?}");
    }
    let long = format!("https://a.example/{}", "a".repeat(300));
    assert_eq!(Post::new(String::new(), Some(long), None, None, None, String::new()).title.chars().count(), 101);
}

#[test]
fn plain_text_of_json_is_no_markup() {
    let text = "int x = a<b ? 1 : 2;\n// b>0 &amp; done";
    let item = json!({ "id": 1, "content_text": text });
    let feed =
        read_text(&json!({ "version": "https://jsonfeed.org/version/1.1", "items": [item] }).to_string()).unwrap();
    assert_eq!(feed.posts[0].text, "int x = a<b ? 1 : 2; // b>0 &amp; done");
    assert_eq!(feed.posts[0].title, feed.posts[0].text);
}

#[test]
fn feeds_are_read_whatever_their_authors_got_wrong() {
    let titles = |file: &str| {
        let feed = read_text(file).unwrap_or_else(|error| panic!("{error} {file}"));
        feed.posts.into_iter().map(|post| post.title).collect::<Vec<_>>()
    };
    for (file, expected) in [
        // Beside the channel, without end tags, nested, and in capital letters.
        ("<rss><channel><title>x</title></channel><item><title>a</title></item></rss>", vec!["a"]),
        ("<rss><channel><item><title>a<item><title>b</item></channel>", vec!["a", "b"]),
        ("<RSS><CHANNEL><ITEM><TITLE>a</TITLE></ITEM></CHANNEL></RSS>", vec!["a"]),
        ("<rss><channel><item><title>a</wrong></title></item></nonsense></channel></rss>", vec!["a"]),
        ("<rss><channel><item><title>a <b>b</b><br>c</title></item></channel></rss>", vec!["a b c"]),
        ("<rss><channel><item><title><![CDATA[R&D <i>now</i>]]></title></item></channel></rss>", vec!["R&D now"]),
        ("<rss><channel><item><title>a &amp;amp; b &nope; &eacute;</title></item>", vec!["a & b &nope; é"]),
        // Cut off: whatever has arrived is shown.
        ("<rss><channel><item><title>a</title></item><item><title>b</ti", vec!["a", "b"]),
        ("<feed><entry><title>a &lt;b&gt; &nbsp;c</title></entry></feed>", vec!["a <b> c"]),
        ("<feed><entry><title type='html'>a &lt;b&gt;b&lt;/b&gt;</title></entry></feed>", vec!["a b"]),
        (
            "<feed><entry><title type='xhtml'><x:div>a &lt;b> <x:script/><x:p>c</x:p></x:div></title></entry></feed>",
            vec!["a <b> c"],
        ),
        ("<entry><title>alone</title></entry>", vec!["alone"]),
    ] {
        assert_eq!(titles(file), expected, "{file}");
    }
}

#[test]
fn addresses_are_relative_to_the_base_or_to_the_site() {
    let urls = |file: &str| {
        let feed = read_text(file).unwrap();
        feed.posts.into_iter().map(|post| post.url.unwrap_or_default()).collect::<Vec<_>>()
    };
    let entry = "<entry><title>a</title><link href='1?a&amp;b&c=d'/></entry>";
    for (file, expected) in [
        (format!("<feed>{entry}</feed>"), "https://a.example/1?a&b&c=d"),
        (format!("<feed>{entry}<link href='/site/'/></feed>"), "https://a.example/site/1?a&b&c=d"),
        (format!("<feed xml:base='/base/'><link href='/site/'/>{entry}</feed>"), "https://a.example/base/1?a&b&c=d"),
        (
            format!("<feed xml:base='/base/'>{}</feed>", entry.replace("<entry>", "<entry xml:base='deep/'>")),
            "https://a.example/base/deep/1?a&b&c=d",
        ),
        (
            "<rss><channel><item><title>a</title><link>/1?a=b&c=d&amp;e</link></item></channel></rss>".to_owned(),
            "https://a.example/1?a=b&c=d&e",
        ),
        (
            "<rss><channel><item><title>a</title><guid isPermaLink='FALSE'>https://b.example/</guid></item>\
            <item><title>b</title><guid>https://b.example/</guid></item></channel></rss>"
                .to_owned(),
            ",https://b.example/",
        ),
        (
            "<feed><entry><title>a</title><link rel='self' href='/s'/><link href='/n'/>\
            <link rel='alternate' href='/a'/></entry></feed>"
                .to_owned(),
            "https://a.example/a",
        ),
    ] {
        assert_eq!(urls(&file).join(","), expected, "{file}");
    }
    let long = format!("<rss><channel><item><title>a</title><link>/{}</link></item></channel></rss>", "x".repeat(5000));
    assert_eq!(urls(&long), [""], "an address that is too long is none");
}

#[test]
fn pictures_are_recognized_by_their_media_type() {
    for (item, expected) in [
        ("<media:content url='https://a.example/1?x=b&amp;c' medium=\"image\" />", Some("1?x=b&c")),
        ("<media:content\n medium = 'video' url=\"https://a.example/2\"/>", None),
        ("<media:content url='https://a.example/3.png' type='video/mp4'/>", None),
        ("<media:group><media:content medium=image url='https://a.example/5'/></media:group>", Some("5")),
        ("<enclosure url='https://a.example/6.JPG?w=1'/>", Some("6.JPG?w=1")),
        ("<itunes:image href='https://a.example/4'/>", Some("4")),
        ("<image>\n https://a.example/7?a=1&amp;b=2 </image>", Some("7?a=1&b=2")),
        ("<image><![CDATA[https://a.example/8]]></image>", Some("8")),
        ("<image><title>x</title><url>https://a.example/9</url><link>https://a.example/</link></image>", Some("9")),
        ("<image url='https://a.example/10'/>", Some("10")),
        ("<image src='/11'></image>", Some("11")),
        ("<thumbnail>https://a.example/12</thumbnail>", Some("12")),
        ("<image/><itunes:image href='https://a.example/13'/>", Some("13")),
        ("<media:thumbnail url='https://a.example/14'/><image>https://a.example/15</image>", Some("14")),
    ] {
        let file = format!("<rss><channel><item><title>a</title>{item}</item></channel></rss>");
        let picture = read_text(&file).unwrap().posts.remove(0).picture;
        assert_eq!(picture.as_deref().and_then(|url| url.rsplit('/').next()), expected, "{item}");
    }
}

#[test]
fn bytes_are_read_in_the_character_set_that_they_are_in() {
    let read_bytes = |bytes: &[u8], content_type: &str| {
        let headers = vec![("Content-Type".to_owned(), content_type.to_owned())];
        let (body, host) = (bytes.to_vec(), "a.example".to_owned());
        let reply = Response { status: 200, headers, body, host, received: Moment::default() };
        read(&reply, "https://a.example/").unwrap().title
    };
    let file = |before: &str| [before.as_bytes(), b"<rss><channel><title>B\xe4r</title></channel></rss>"].concat();
    for (before, content_type, expected) in [
        ("<?xml version='1.0' encoding='ISO-8859-1'?>", "text/xml", "Bär"),
        ("\n<?xml version=\"1.0\" encoding = \"windows-1252\" ?>", "text/xml; charset=utf-8", "Bär"),
        ("", "text/xml; charset=\"iso-8859-1\"", "Bär"),
        ("", "text/xml", "B\u{fffd}r"),
        ("<?xml encoding='utf-16'?>", "text/xml", "B\u{fffd}r"),
        ("<?xml encoding='nonsense'?>", "text/xml; charset=iso-8859-1", "Bär"),
        ("<?xml version='1.0' encoding='utf-8'?>", "text/xml; charset=iso-8859-1", "Bär"),
        ("<?xml version='1.0' encoding='utf-8'?>", "text/xml", "B\u{fffd}r"),
    ] {
        assert_eq!(read_bytes(&file(before), content_type), expected, "{before} {content_type}");
    }
}

#[test]
fn what_has_only_a_file_leads_to_it() {
    let rss = |item: &str| format!("<rss><channel><item><title>a</title>{item}</item></channel></rss>");
    let atom = |entry: &str| format!("<feed><entry><id>urn:1</id><title>a</title>{entry}</entry></feed>");
    let json =
        |item: serde_json::Value| json!({ "version": "https://jsonfeed.org/version/1.1", "items": [item] }).to_string();
    let attached = |more: serde_json::Value| {
        let mut item = json!({ "id": "1", "title": "a", "attachments": [
            "no file", { "mime_type": "audio/mpeg" }, { "url": "/e.mp3", "mime_type": "audio/mpeg" },
            { "url": "/f.png", "mime_type": "image/png" },
        ] });
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json(item)
    };
    let audio = "<enclosure url='/e.mp3' type='audio/mpeg'/>";
    let sound = "<link rel='enclosure' type='audio/mpeg' href='/e.mp3'/>";
    for (file, expected) in [
        (rss(audio), "/e.mp3"),
        (rss(&format!("{audio}<guid isPermaLink='false'>e-2</guid>")), "/e.mp3"),
        (rss(&format!("{audio}<guid>https://a.example/2</guid>")), "/2"),
        (rss(&format!("{audio}<link>/1</link>")), "/1"),
        (rss("<enclosure url='/e.png' type='image/png'/>"), "/e.png"),
        (rss("<media:content url='/e.mp4' type='video/mp4'/>"), "/e.mp4"),
        (rss("<media:group><media:player url='/watch'/></media:group>"), "/watch"),
        (atom(sound), "/e.mp3"),
        (atom(&format!("{sound}<link href='/1'/>")), "/1"),
        (atom("<link rel='edit' href='/1'/>"), ""),
        (attached(json!({})), "/e.mp3"),
        (attached(json!({ "external_url": "/1" })), "/1"),
        (attached(json!({ "id": "https://a.example/2" })), "/2"),
    ] {
        let url = read_text(&file).unwrap().posts.remove(0).url.unwrap_or_default();
        assert_eq!(url.trim_start_matches("https://a.example"), expected, "{file}");
    }
    let pictures = [atom("<link rel='enclosure' type='image/png' href='/f.png'/>"), attached(json!({}))];
    for file in pictures {
        let picture = read_text(&file).unwrap().posts.remove(0).picture;
        assert_eq!(picture.as_deref(), Some("https://a.example/f.png"), "{file}");
    }
}
