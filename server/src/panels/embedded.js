// Runs in the frame of an embedded page: tells the dashboard how high the content is, and takes over its colors.
(() => {
  const root = document.documentElement;
  const colors = document.createElement('style');
  let told = 0;
  let floor = 0;
  let step = 0;
  let steps = 0;
  let at = 0;
  let isHeard = false;
  const tell = () => {
    // What is positioned beyond the end makes the page higher, but not its element.
    const height = root.getBoundingClientRect().height;
    if (root.scrollHeight > innerHeight) floor = root.scrollHeight;
    const next = Math.ceil(Math.max(height, floor > height + 1 ? floor : 0));
    if (next === told) return;
    // Content that is always higher than its frame would grow for ever.
    const now = Date.now();
    steps = next - told === step && now - at < 500 ? steps + 1 : 0;
    step = next - told;
    at = now;
    if (steps > 4) return;
    told = next;
    parent.postMessage(next, location.origin);
  };
  addEventListener('message', (event) => {
    if (event.source !== parent || typeof event.data !== 'string') return;
    colors.textContent = event.data;
    document.head.prepend(colors);
    // There was no listener before its first message: the dashboard may have missed the height.
    if (isHeard) return;
    isHeard = true;
    told = 0;
    tell();
  });
  addEventListener('load', tell, true);
  addEventListener('DOMContentLoaded', () => {
    new ResizeObserver(tell).observe(root);
    tell();
  });
})();
