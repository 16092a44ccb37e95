// Numbers from several runs.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// The value that a given share of all values does not exceed.
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

// The median of one property of every run.
export const medianOf = (runs, of) => median(runs.map(of));

// The mean of one property of every run. It tells apart times that come in whole frames, whose median is a whole frame too.
export const meanOf = (runs, of) => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;

// Runs something several times, one after the other.
export async function repeat(times, action) {
  const results = [];
  for (let turn = 0; turn < times; turn += 1) results.push(await action(turn));
  return results;
}

// The slope of the line that fits these points best.
export function slope(points) {
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])];
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread;
}
