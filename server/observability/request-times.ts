/** The endpoint and environment that a REST path is counted under; null counts it as `other`. */
export type RouteOf = (path: string) => { route: string; environment: string } | null;

const NAME = 'gateway_http_request_duration_seconds';
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BOUNDS_MS = BOUNDS_S.map((seconds) => seconds * 1000);
const MAX_PATHS = 100;

type Times = { labels: string; buckets: number[]; count: number; sumMs: number };

/**
 * The histogram of a process's REST requests.
 *
 * It is our own because prom-client's takes 0.9 µs a request, which matters where a status takes
 * 60; this one takes a thirtieth of that.
 */
export class RequestTimes {
  private readonly series = new Map<string, Times>();
  private readonly known = new Map<string, Map<number, Times>>();

  /** Counts one request. */
  count(request: { path: string; status: number; durationMs: number }, routeOf: RouteOf): void {
    const { path, status, durationMs } = request;
    const times = this.known.get(path)?.get(status) ?? this.find(path, status, routeOf);
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && durationMs > (BOUNDS_MS[bucket] ?? 0)) bucket += 1;
    times.buckets[bucket] = (times.buckets[bucket] ?? 0) + 1;
    times.count += 1;
    times.sumMs += durationMs;
  }

  /** In Prometheus's text format. */
  render(): string {
    const lines = [`# HELP ${NAME} REST requests by endpoint, environment and status`];
    lines.push(`# TYPE ${NAME} histogram`);
    for (const { labels, buckets, count, sumMs } of this.series.values()) {
      let below = 0;
      BOUNDS_S.forEach((bound, index) => {
        below += buckets[index] ?? 0;
        lines.push(`${NAME}_bucket{${labels},le="${bound}"} ${below}`);
      });
      lines.push(`${NAME}_bucket{${labels},le="+Inf"} ${count}`);
      lines.push(`${NAME}_sum{${labels}} ${sumMs / 1000}`, `${NAME}_count{${labels}} ${count}`);
    }
    return `${lines.join('\n')}\n`;
  }

  private find(path: string, status: number, routeOf: RouteOf): Times {
    const found = routeOf(path);
    const { route, environment } = found ?? { route: 'other', environment: 'none' };
    const labels = `route="${route}",environment="${environment}",status="${status}"`;
    const fresh = { labels, buckets: BOUNDS_S.map(() => 0).concat(0), count: 0, sumMs: 0 };
    const times = this.series.get(labels) ?? fresh;
    this.series.set(labels, times);
    // Paths that anybody can make up are not remembered.
    if (found === null || this.known.size >= MAX_PATHS) return times;
    const byStatus = this.known.get(path) ?? new Map<number, Times>();
    this.known.set(path, byStatus.set(status, times));
    return times;
  }
}
