//! The inline scripts of pages. They are minified by hand, because every first visit loads them; each comment says what
//! its script does.

use std::sync::LazyLock;

use crate::{SETTINGS_ELEMENT, page::FAILED_ELEMENT};

/// Applied in the head, before anything is painted: the theme chosen in this browser, or the one for the time of day,
/// the colours that the person has set for it, and whether icons have the colour of the text. A chosen theme replaces the
/// ones before this script. Its style sheet is written into the document, because then all browsers wait for it before the
/// first paint.
///
/// Fonts are preloaded for people who have been here before, and so have them cached: a browser waits up to 50 ms for
/// such a font before it paints. On the first visit, text is painted in a font with the same metrics, and changes when
/// the font is loaded.
///
/// The editor's drafts contain everything that is in a config file. They are deleted on sign-out, and when somebody
/// else opens the page.
///
/// Sections beyond the first screen wait for the first paint, like the bundle, so that nothing competes with the
/// visible part. A tab in the background does not paint, and so does not wait; without scripts everything is in the
/// first frame.
pub(super) const THEME_SCRIPT: &str = "(function(){var r=document.documentElement,s=r.dataset,p=s.page?'-'+s.page:'',t='',i,c={},\
    m=matchMedia(\
    '(prefers-color-scheme: dark)'),forget=function(own){try{Object.keys(localStorage).forEach(function(k){\
    k.indexOf('porticoDraft-')||k.indexOf(own)&&localStorage.removeItem(k)})}catch(e){}},P=window.PerformanceObserver,own=function(){var v=c[s.theme||'default'],k;\
    r.removeAttribute('style');for(k in v)r.style.setProperty('--'+k,v[k])};\
    window.porticoPainted=new Promise(function(go){\
    if(document.hidden||!P||(P.supportedEntryTypes||[]).indexOf('paint')<0)return go();\
    new P(function(l){l.getEntriesByName('first-contentful-paint').length&&go()}).observe({type:'paint',buffered:true});\
    setTimeout(go,2e3)});\
    r.classList.add('arriving');porticoPainted.then(function(){r.classList.remove('arriving');\
    try{localStorage.setItem('fonts','1')}catch(e){}});\
    try{localStorage.getItem('fonts')&&s.fonts.split(' ').forEach(function(f){var l=document.createElement('link');\
    l.rel='preload';l.as='font';l.type='font/woff2';l.crossOrigin='';l.href=f;document.head.append(l)})}catch(e){}\
    try{t=localStorage.getItem('theme'+p)||'';i=localStorage.getItem('iconColor'+p);\
    if(/^(mono|color)$/.test(i))s.icons=i;c=JSON.parse(localStorage.getItem('customColors'))||c}catch(e){}\
    if('drafts'in s)forget('porticoDraft-'+s.drafts+'-');\
    addEventListener('submit',function(e){/\\/logout$/.test(e.target.action)&&forget('?')},true);\
    if(t){s.chosen='';document.querySelectorAll('style.theme').forEach(function(e){e.disabled=true});\
    if(/^(default|auto)$/.test(t))delete s.theme;else{s.theme=t;\
    document.write('<link class=theme rel=stylesheet href=\"'+s.themes+encodeURIComponent(t)+'.css\">')}}\
    m.onchange=function(){if(s.day&&!('chosen' in s)){var n=m.matches?s.night:s.day;\
    if(n=='default')delete s.theme;else s.theme=n}own()};m.onchange()})()";

/// Applied at the end of the body: layout, size and collapsed sections as this browser left them, the chosen colour of
/// icons, dismissed notices, and in the minimal view the last tab, unless the address names
/// one.
///
/// Then the masonry: each section gets the lane that is shortest so far and keeps it, however heights change, so nothing jumps
/// from one column to another. The bundle follows the heights (`app/src/browser/masonry.rs`). Until all lanes are known no
/// section is seen, because a large page may be painted while it arrives.
pub(super) const STATE_SCRIPT: &str = "(function(){try{var p=document.getElementById('page'),\
    d=document.documentElement.dataset.page,g=function(n){return localStorage.getItem(n+(d?'-'+d:''))||''},\
    l=g('layoutOrientation'),z=g('iconSize'),c=JSON.parse(localStorage.getItem('collapseState')||'{}');\
    if(/^(auto|horizontal|vertical|masonry)$/.test(l))p.className=p.className.replace(/orientation-\\w+/,'orientation-'+l);\
    if(/^(small|medium|large)$/.test(z))p.className=p.className.replace(/item-size-\\w+/,'item-size-'+z);\
    var i=document.documentElement.dataset.icons,o=document.getElementById('one-color');if(i&&o)o.checked=i=='mono';\
    if(localStorage.getItem('disableCriticalWarning'))document.querySelectorAll('.notice:has([data-dismiss])').forEach(function(e){\
    e.classList.add('quiet')});\
    if(!/single-section|view-/.test(p.className))document.querySelectorAll('details[data-key]').forEach(function(e){\
    var o=c[e.dataset.key];if(typeof o=='boolean')e.open=o});\
    var n=document.querySelector('.section-tabs:not([data-chosen])'),k=g('minimalSection'),\
    t=k&&n&&n.querySelector('[data-key=\"'+CSS.escape(k)+'\"]'),a=n&&n.querySelector('[aria-current]');\
    if(t&&t!=a){a.removeAttribute('aria-current');t.setAttribute('aria-current','true');\
    delete document.querySelector('[data-selected]').dataset.selected;\
    document.getElementById(t.dataset.section).dataset.selected=''}}catch(e){}})();\
    (function(){var c=document.getElementById('content'),p=document.getElementById('page'),n,place=function(){\
    document.documentElement.dataset.placed='';\
    var m=c&&/orientation-masonry/.test(p.className)&&!/single-section|view-/.test(p.className)&&!('split'in c.dataset)&&!CSS.supports('display','grid-lanes'),\
    k=m&&getComputedStyle(c).gridTemplateColumns.split(' ').length,t;\
    if(!m||k==n||(document.getElementById('settings')||c).dataset.failed)return;n=k;t=Array(k).fill(0);c.dataset.packed='';\
    [].map.call(c.children,function(e){return[e,e.offsetHeight+parseFloat(getComputedStyle(e).marginBlockEnd)]}).\
    forEach(function(x){var e=x[0],w=Math.min(e.dataset.cols||1,k),a=0,i,top=function(i){return Math.max.apply(0,t.slice(i,i+w))};\
    for(i=1;i<=k-w;i++)if(top(i)<top(a))a=i;\
    var h=top(a)+x[1];for(i=0;i<w;i++)t[a+i]=h;\
    e.style.setProperty('--lane',a+1);e.style.setProperty('--packed-rows',Math.ceil(x[1]/4))})};\
    place();addEventListener('resize',place)})()";

/// Loads the bundle that the page's data names after the first paint; the module starts by itself. Nothing is loaded
/// ahead, because that would delay the paint, and the page can be used before.
///
/// If it has not arrived after eight seconds, the page says so until it has. A moment after the start, the page
/// loads its companion if there is work for it, otherwise after half a minute, or when the tab is first left.
///
/// If it cannot be loaded, or fails later, the page says so once, and then works as it does without scripts: the bundle
/// gets no more events, since each would only fail again, and links and sections work by themselves. The dialogs of the
/// options work without the bundle. The style sheet takes over a masonry layout that the bundle no longer measures.
///
/// Finally, it loads the small script that follows changes of the page.
///
/// The script of the search is loaded when the bundle needs it, or else with the companion: people search a page that
/// stays open after its server has gone.
///
/// A button with `data-module` loads that module at its first use, and calls it with the button at each use. While that
/// lasts, or while another page is loading, the root has `data-busy` after a moment, for which the style sheet draws a
/// bar.
///
/// Events that open a context menu, or may become a long press, are passed to the script of the menus in the same way.
/// The browser shows its own menu with Shift, and on selected text, except for a link that was selected by the same
/// click.
///
/// A local config, which an admin keeps in this browser (docs/spec/behaviour.md 16), is drawn by a script of the editor; until
/// then nothing is seen of the file that it stands for.
///
/// The last errors are kept for the debug information, and the texts of the page's language for all scripts. A language that
/// is chosen in the options is sent at once.
pub(super) static LOADER_SCRIPT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "(function(){{var r=document.documentElement,busy=function(){{return setTimeout(function(){{r.dataset.busy=''}},300)}},\
         idle=function(t){{clearTimeout(t);delete r.dataset.busy}},G=window.navigation;\
         addEventListener('click',function(e){{var b=e.target.closest&&e.target.closest('[data-module]'),t;\
         if(b){{t=busy();import(b.dataset.module).then(function(m){{return m.default(b)}}).finally(function(){{idle(t)}})}}}},true);\
         G&&G.addEventListener('navigate',function(e){{if(/^http/.test(e.destination.url)&&!e.destination.sameDocument&&\
         e.downloadRequest==null){{var t=busy();G.onnavigateerror=function(){{idle(t)}}}}}});\
         addEventListener('pageshow',idle);\
         addEventListener('change',function(e){{e.target.name=='language'&&e.target.form.submit()}},true)}})();\
         (function(){{var s=document.getElementById('{SETTINGS_ELEMENT}'),d=s.dataset,W=window.WebAssembly,\
         fail=function(){{if(d.failed)return;d.failed=1;\
         if(s.sizes){{s.sizes.disconnect();document.getElementById('content').removeAttribute('data-packed')}}\
         var e=document.getElementById('{FAILED_ELEMENT}');if(e){{e.className='toast';e.hidden=false}}\
         '{HEARD_EVENTS}'.split(' ').forEach(function(n){{\
         addEventListener(n,function(e){{e.target.closest&&e.target.closest('.theme-dialog,.tools-dialog')||e.stopImmediatePropagation()}},true)}})}},\
         look=function(e){{var x=e.error||e.reason;s.errors.push(String(x&&x.stack||x||e.message));s.errors.splice(0,s.errors.length-20);\
         if(W&&x instanceof W.RuntimeError)fail()}},\
         n=navigator.serviceWorker,slow,wait=setTimeout(function(){{var e=document.getElementById('{FAILED_ELEMENT}');\
         if(!e)return;slow=document.createElement('p');slow.className='toast';\
         var w='Search and options are still loading. Links work already.';slow.textContent=s.texts[w]||w;e.after(slow)}},8e3),\
         arrived=function(){{clearTimeout(wait);if(slow)slow.remove()}},\
         more=function(){{more=function(){{}};[d.companion,d.search].map(function(x){{import(x).catch(function(){{}})}})}};\
         try{{var h=document.documentElement.dataset,c=document.getElementById('content');\
         if(d.editor&&localStorage.getItem('porticoDraft-'+h.drafts+'-/'+(h.page||''))){{c.style.visibility='hidden';\
         import(d.editor).then(function(m){{return m.local()}}).finally(function(){{c.style.visibility=''}})}}}}catch(e){{}}\
         s.errors=[];s.texts=JSON.parse(d.texts||'{{}}');s.search=function(){{return import(d.search)}};\
         var menu=function(e){{var k=e.type,t=k=='keydown'&&e.key!='ContextMenu'&&!(e.shiftKey&&e.key=='F10')||\
         k=='pointerdown'&&e.pointerType!='touch'||!e.target.closest?0:e.target.closest('{MENU_OWNERS}'),q=getSelection();\
         if(!t||!d.menu||d.failed||k=='contextmenu'&&(e.shiftKey||!q.isCollapsed&&q.containsNode(t,true)&&\
         !(t.matches('a')&&t.contains(q.anchorNode))))return;\
         if(k!='pointerdown')e.preventDefault();\
         import(d.menu).then(function(m){{m.default(e,t)}},function(){{d.menu=''}})}};\
         'contextmenu keydown pointerdown'.split(' ').forEach(function(n){{addEventListener(n,menu,true)}});\
         addEventListener('beforeinstallprompt',function(e){{e.preventDefault();s.install=e}});\
         document.addEventListener('visibilitychange',function(){{setTimeout(function(){{more()}},1e3)}});\
         porticoPainted.then(function(){{setTimeout(function(){{more()}},'worker'in d||'compat'in d?3e3:3e4);\
         if(n)n.getRegistrations().then(function(r){{if(r.length)more()}}).catch(function(){{}})}});\
         addEventListener('error',look);addEventListener('unhandledrejection',look);\
         porticoPainted.then(function(){{var w=fetch(d.wasm);w.catch(function(){{}});\
         return import(d.script).then(function(m){{return m.default({{module_or_path:w}})}})}})\
         .then(arrived,function(e){{arrived();fail();console.error(e)}})\
         .then(function(){{return d.stream&&import(d.stream)}}).catch(console.error)}})()"
    )
});

/// The elements with a context menu: links of items, headings of sections, all tiles for viewers who may edit the page,
/// and in edit mode also the controls and the heads of widgets.
const MENU_OWNERS: &str = "#content :is(.items a,.section-heading),:root:has(.edit-button) #content .items>*,\
    [data-editing] #content :is(.widget-head,[data-edit^=section],[data-edit^=widget])";

/// The events that the bundles listen for.
const HEARD_EVENTS: &str = "click auxclick input change submit keydown pointermove pointerover pointerout focusin \
    focusout scroll error toggle close visibilitychange pageshow online";

/// The texts of all inline scripts that a page may contain, for the hashes in the Content-Security-Policy.
pub fn inline_scripts() -> [&'static str; 3] {
    [THEME_SCRIPT, STATE_SCRIPT, &LOADER_SCRIPT]
}
