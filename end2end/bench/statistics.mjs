// Numbers from several runs.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// The median of one property of every run.
export const medianOf = (runs, of) => median(runs.map(of));

// Runs something several times, one after the other.
export async function repeat(times, action) {
  const results = [];
  for (let turn = 0; turn < times; turn += 1) results.push(await action(turn));
  return results;
}
