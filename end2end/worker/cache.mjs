/** A cache, as in the Cache API, for the workers in tests. */
export class FakeCache {
  kept = new Map();
  constructor(origin) {
    this.origin = origin;
  }
  key(request) {
    return new URL(typeof request === 'string' ? request : request.url, this.origin).href;
  }
  async match(request) {
    const found = this.kept.get(this.key(request));
    return found && new Response(found.body, { headers: found.headers });
  }
  async put(request, response) {
    const body = await response.text();
    // What is stored again is the newest.
    this.kept.delete(this.key(request));
    this.kept.set(this.key(request), { body, headers: [...response.headers] });
  }
  async delete(request) {
    return this.kept.delete(this.key(request));
  }
  async keys() {
    return [...this.kept.keys()].map((address) => new Request(address));
  }
}
