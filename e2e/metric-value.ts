/** Which series of a metric are meant: those that carry all these labels. */
export type MetricQuery = { name: string; labels?: Record<string, string> };

/** Sums the series that match in a text of Prometheus' exposition format; 0 where there is none. */
export function metricValue(text: string, { name, labels = {} }: MetricQuery): number {
  const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  let sum = 0;
  for (const line of text.split('\n')) {
    const [, found, series = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (found === name && wanted.every((label) => series.split(',').includes(label))) sum += Number(value);
  }
  return sum;
}
