// The table of results, with verdicts.

const KIBIBYTE = 1024;

const units = {
  ms: (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`,
  µs: (value) => `${value.toFixed(value < 100 ? 1 : 0)} µs`,
  B: (value) => `${value.toFixed(Math.abs(value) < 10 ? 1 : 0)} B`,
  KB: (value) => `${(value / 1000).toFixed(1)} KB`,
  MiB: (value) => `${(value / KIBIBYTE / KIBIBYTE).toFixed(1)} MiB`,
  ratio: (value) => value.toFixed(2),
  count: (value) => Math.round(value).toLocaleString('en'),
};

export class Report {
  rows = [];

  // One figure. `reference` is the value of the bare handler, or of another named reference, in the same run. `max` and
  // `min` are budgets for the value, `maxRatio` for the ratio to the reference: times depend on the machine, ratios do not. Where
  // pairs of runs were compared, `ratio` is that of the pairs.
  add(items, measure, unit, value, { reference, ratio = reference === undefined ? undefined : value / reference, max, min, maxRatio, note } = {}) {
    const budget = max ?? min ?? maxRatio;
    // What could not be measured is within no budget.
    const within = (max === undefined || value <= max) && (min === undefined || value >= min) && (maxRatio === undefined || ratio <= maxRatio);
    const verdict = budget === undefined ? undefined : within ? 'ok' : 'over';
    this.rows.push({ items, measure, unit, value, reference, ratio, max, min, maxRatio, verdict, note });
  }

  // A requirement of the page; `problem` says why it is not met.
  require(items, measure, problem) {
    this.rows.push({ items, measure, verdict: problem ? 'over' : 'ok', note: problem ?? 'works' });
  }

  over() {
    return this.rows.filter((row) => row.verdict === 'over');
  }

  table() {
    const head = ['items', 'measure', 'value', 'reference', 'ratio', 'budget', ''];
    const lines = this.rows.map((row) => {
      const show = (value) => (value === undefined ? '' : units[row.unit](value));
      const budget = row.maxRatio !== undefined ? `≤ ${row.maxRatio.toFixed(2)}×`
        : row.max !== undefined ? `≤ ${show(row.max)}` : row.min !== undefined ? `≥ ${show(row.min)}` : '';
      return [
        row.items.toLocaleString('en'),
        row.measure,
        row.value === undefined ? (row.note ?? '') : show(row.value),
        show(row.reference),
        row.ratio === undefined ? '' : row.ratio.toFixed(2),
        budget,
        row.verdict ?? '',
      ];
    });
    const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column].length)));
    const line = (cells) => cells
      .map((cell, column) => (column === 1 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd();
    const rule = widths.map((width) => '─'.repeat(width)).join('  ');
    const groups = [];
    this.rows.forEach((row, number) => {
      if (number > 0 && row.items !== this.rows[number - 1].items) groups.push('');
      groups.push(line(lines[number]));
    });
    return [line(head), rule, ...groups].join('\n');
  }
}
