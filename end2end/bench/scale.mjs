// What many servers and many people need: a simulation of the lookups that the servers of a database share, with costs that
// `make bench ONLY=replicas` measures. It prints the tables of docs/scale.md: node end2end/bench/scale.mjs

/** Measured, or fixed in the program. */
const COSTS = {
  /** Processor time of a page, in microseconds, behind nginx. */
  page: 110,
  /** Connections of a server to the database. */
  connections: 4,
  /** Event streams of a server: one for each open page that is visible (`MAX_STREAMS` in `server/src/routes/events/streams.rs`). */
  browsers: 1024,
  /** Memory of a server, in MiB. */
  memory: 28,
  /** Queries a minute of a server at rest. */
  rest: 1,
  /** From the end of a lookup until other servers know its result, in seconds. */
  news: 0.01,
  /** Bytes of an announcement: assumed, that of a widget with a dozen rows. */
  announcement: 1500,
};

const WIDGETS = 100;
// Seconds between two lookups of a widget, how long one takes, and how much longer the other servers wait for its result.
const INTERVAL = 20;
const LOOKUP = 0.3;
const GRACE = 3;
// Seconds that are simulated after the start.
const TIME = 1800;

const PEOPLE = 1_000_000;
// Pages a day of a person, the share of them in the busiest hour, and of people with an open tab.
const PAGES = 20;
const BUSIEST = 0.15;
const OPEN = 0.1;

/** Numbers between 0 and 1, the same in each run. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The queries for one widget: how many until all servers have its first panel, and how many a minute after that. */
function simulate(servers) {
  const random = randomNumbers(servers);
  // Announcements arrive after half to three times the usual time.
  const delay = () => COSTS.news * (0.5 + 2.5 * random() ** 3);
  // All servers start, with open tabs, within a second. The first one has the turn; the others ask, wait, and ask again.
  let leader = 0;
  let first = 0;
  const begins = Array.from({ length: servers }, () => random());
  begins.forEach((time, server) => {
    if (time < begins[leader]) leader = server;
  });
  let result = begins[leader] + LOOKUP;
  for (const [server, time] of begins.entries()) {
    if (server === leader) first += 2;
    else first += time < result ? 2 : 1;
  }
  let later = 0;
  // When each server asks by itself, unless it hears of a result before.
  let known = begins.map(() => result + delay());
  for (let time = result; time < TIME;) {
    const own = time + INTERVAL;
    const impatient = known.filter((at, server) => server !== leader && at + INTERVAL + GRACE < own + LOOKUP + delay()).length;
    later += 2 + impatient * 2;
    result = own + LOOKUP;
    known = known.map(() => result + delay());
    time = result;
  }
  return { first, perMinute: (later / TIME) * 60 };
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const number = (value, digits = 0) => value.toLocaleString('en', { maximumFractionDigits: digits });

const rows = [1, 3, 10, 100, 1000].map((servers) => {
  const { first, perMinute } = simulate(servers);
  const lookups = (WIDGETS * 60) / INTERVAL;
  const delivered = (lookups / 60) * servers * COSTS.announcement;
  return [
    number(servers),
    number(servers * COSTS.connections),
    number(first * WIDGETS),
    number(perMinute * WIDGETS + servers * COSTS.rest),
    `${number(delivered / 1000, 1)} KB/s`,
    `${number(servers * COSTS.memory / 1024, 1)} GiB`,
    number(servers * COSTS.browsers),
  ];
});
console.log(table(
  ['servers', 'connections to the database', `queries at a common start, ${WIDGETS} widgets`, 'queries a minute after that', 'announcements', 'memory', 'open browsers'],
  rows,
));

const peak = (PEOPLE * PAGES * BUSIEST) / 3600;
console.log(`\n${number(PEOPLE)} people: ${number(peak)} pages a second in the busiest hour, ${number((peak * COSTS.page) / 1e6, 2)} processors; ${number(PEOPLE * OPEN)} open tabs, ${number(Math.ceil((PEOPLE * OPEN) / COSTS.browsers))} servers.`);
