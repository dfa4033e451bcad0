import { readFile } from 'node:fs/promises';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openPool } from '../db/pool.ts';
import { EXCESS } from '../operating/backlog-metrics.ts';
import { ADDRESS_LIMIT } from '../payments/card-testing.ts';
import { routeLabelsOf } from '../rest/routes.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { metrics, REFUSED } from './metrics.ts';
import { answerMetrics, type MetricsAccess } from './metrics-endpoint.ts';

const TOKEN = 'a-token-of-some-length';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(3);
});
afterAll(() => database.drop());

function ask(
  access: Partial<MetricsAccess>,
  {
    authorization = null,
    address = '127.0.0.1',
  }: { authorization?: string | null; address?: string },
  db = database.pool,
) {
  return answerMetrics(
    { authorization, address },
    { token: null, isLocal: true, ...access },
    { db, clock: () => new Date(Date.now()) },
  );
}

describe('who may read the metrics', () => {
  it.each([
    ['this machine, where nothing is set', {}, {}, 200],
    ['IPv6 of this machine', {}, { address: '::1' }, 200],
    ['another machine', {}, { address: '192.0.2.7' }, 404],
    ['a proxy’s strangers, who come over loopback', { isLocal: false }, {}, 404],
    ['the bearer of the token', { token: TOKEN }, { authorization: `Bearer ${TOKEN}` }, 200],
    ['nobody without the token', { token: TOKEN }, {}, 401],
    ['another token', { token: TOKEN }, { authorization: `Bearer ${TOKEN}x` }, 401],
  ])('%s: %j %j is %i', async (_title, access, request, status) => {
    expect((await ask(access, request)).status).toBe(status);
  });
});

it('tells requests by endpoint, environment and status, the pool and the backlog', async () => {
  const count = (path: string, status: number) =>
    metrics().requests.count({ path, status, durationMs: 3 }, routeLabelsOf);
  count('/api/sandbox/invoice/create', 200);
  count('/api/sandbox/invoice/create', 200);
  count('/api/sandbox/made/up', 404);
  const { body } = await ask({}, {});
  const labels = 'route="/invoice/create",environment="sandbox",status="200"';
  expect(body).toContain(`gateway_http_request_duration_seconds_count{${labels}} 2`);
  expect(body).toContain(`_bucket{${labels},le="0.005"} 2`);
  expect(body).toContain('route="other",environment="none",status="404"');
  expect(body).toContain('gateway_db_pool_connections{state="max"} 3');
  expect(body).toContain('nodejs_eventloop_lag_p99_seconds');
  expect(body).toContain('gateway_callbacks_due 0');
});

it('tells attempts of callbacks by environment and outcome, however often it is asked', async () => {
  const { sandbox, production } = metrics().callbackAttempts;
  production.delivered += 3;
  production.failed += 1;
  sandbox.exhausted += 4;
  await ask({}, {});
  production.delivered += 2;
  const { body } = await ask({}, {});
  const told = [...body.matchAll(/^gateway_callback_attempts_total\{(.+)\} (\d+)$/gm)];
  expect(told.map(([, labels, count]) => `${labels} ${count}`)).toEqual([
    'environment="sandbox",outcome="delivered" 0',
    'environment="sandbox",outcome="failed" 0',
    'environment="sandbox",outcome="exhausted" 4',
    'environment="production",outcome="delivered" 5',
    'environment="production",outcome="failed" 1',
    'environment="production",outcome="exhausted" 0',
  ]);
});

it('a database that cannot be reached leaves the process’s own counts', async () => {
  const nowhere = openPool('postgres://nobody@127.0.0.1:9/none', 1);
  const later = new Date(Date.now() + 60_000);
  const access = { token: null, isLocal: true };
  const request = { authorization: null, address: '127.0.0.1' };
  const { status, body } = await answerMetrics(request, access, {
    db: nowhere,
    clock: () => later,
  });
  await nowhere.end();
  expect(status).toBe(200);
  expect(body).toContain('process_cpu_seconds_total');
  expect(body).not.toContain('gateway_callbacks_due');
});

it('so does one that never answers', async () => {
  const silent: typeof database.pool = Object.create(database.pool, {
    query: { value: () => new Promise(() => undefined) },
  });
  const later = new Date(Date.now() + 120_000);
  const access = { token: null, isLocal: true };
  const request = { authorization: null, address: '127.0.0.1' };
  const { status, body } = await answerMetrics(request, access, { db: silent, clock: () => later });
  expect(status).toBe(200);
  expect(body).toContain('process_cpu_seconds_total');
  expect(body).not.toContain('gateway_callbacks_due');
});

it('the processes are told while somebody holds what waits', async () => {
  const { pool } = database;
  const later = new Date(Date.now() + 180_000);
  await pool.query(
    `INSERT INTO process_beats (id, kind, host, pid, driver, started_at, last_seen_at)
     VALUES ('1', 'worker', 'host', 1, 'inngest', $1, $1)`,
    [later],
  );
  const holder = await pool.connect();
  await holder.query('BEGIN; LOCK TABLE callbacks IN ACCESS EXCLUSIVE MODE');
  const request = { authorization: null, address: '127.0.0.1' };
  const access = { token: null, isLocal: true };
  const { body } = await answerMetrics(request, access, { db: pool, clock: () => later });
  await holder.query('ROLLBACK');
  holder.release();
  expect(body).toContain('\ngateway_processes{kind="worker",driver="inngest"} 1\n');
  expect(body).not.toContain('gateway_callbacks_due');
});

/** The faults that Prometheus would find in an expression; Grafana fills in `$__rate_interval`. */
function faultsOf(expression: string): string[] {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const faults: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) faults.push(`${expression}: at "${text.slice(from)}"`);
    },
  });
  return faults;
}

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
type Dashboard = { panels: { targets?: { expr: string; legendFormat: string }[] }[] };

const READERS = {
  'alerts.yml': (text: string) =>
    (parse(text) as Rules).groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  'grafana-dashboard.json': (text: string) =>
    (JSON.parse(text) as Dashboard).panels.flatMap(({ targets = [] }) =>
      targets.map(({ expr }) => expr),
    ),
};

describe('what operators load', () => {
  const files = ['alerts.yml', 'grafana-dashboard.json'] as const;

  it.each(files)('%s asks in PromQL', async (file) => {
    const expressions = READERS[file](await readFile(`public/operating/${file}`, 'utf8'));
    expect(expressions.length).toBeGreaterThan(8);
    expect(expressions.flatMap(faultsOf)).toEqual([]);
    expect(expressions.flatMap((expression) => faultsOf(`${expression} by`))).toHaveLength(
      expressions.length,
    );
  });

  it.each(files)('%s names metrics that exist', async (file) => {
    const { body } = await ask({}, {});
    const known = new Set([...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const text = await readFile(`public/operating/${file}`, 'utf8');
    const named = [...text.matchAll(/\b(?:gateway|nodejs|process)_[a-z0-9_]+/g)].map(
      ([name]) => name,
    );
    expect(named.length).toBeGreaterThan(8);
    const bare = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '');
    expect(named.filter((name) => !known.has(name) && !known.has(bare(name)))).toEqual([]);
  });

  it('the dashboard tells the processes of one web apart', async () => {
    const text = await readFile('public/operating/grafana-dashboard.json', 'utf8');
    const targets = (JSON.parse(text) as Dashboard).panels.flatMap((panel) => panel.targets ?? []);
    const legends = targets
      .map(({ legendFormat }) => legendFormat)
      .filter((legend) => legend.includes('{{instance}}'));
    expect(legends.length).toBeGreaterThan(3);
    expect(legends.filter((legend) => !legend.includes('{{process}}'))).toEqual([]);
  });

  it('the rule for card testing is raised by what one address can have declined, in production alone', async () => {
    const { groups } = parse(await readFile('public/operating/alerts.yml', 'utf8')) as Rules;
    const rules = groups.flatMap((group) => group.rules);
    const { expr = '' } = rules.find(({ alert }) => alert === 'CardTesting') ?? {};
    expect(expr).toContain('gateway_merchant_declines_excess{environment="production"}');
    const threshold = Number(/>= (\d+)$/.exec(expr)?.[1]);
    expect(threshold).toBeLessThan(ADDRESS_LIMIT);
    expect(threshold).toBeGreaterThan(EXCESS.atLeast);
  });

  it('the rules for refusals see the first of each kind', async () => {
    const { body } = await ask({}, {});
    const text = await readFile('public/operating/alerts.yml', 'utf8');
    const [, leftOut = ''] = /gateway_refusals_total\{what!~"([^"]+)"\}/.exec(text) ?? [];
    for (const what of REFUSED) {
      expect(body).toContain(`\ngateway_refusals_total{what="${what}",outcome="refused"} `);
      expect(body).toContain(`\ngateway_refusals_total{what="${what}",outcome="throttled"} `);
    }
    expect(body).toMatch(/^gateway_password_sprays_total \d+$/m);
    expect(REFUSED).toEqual(expect.arrayContaining(leftOut.split('|')));
  });

  it('the rule for callbacks that were given up watches production alone', async () => {
    const [selector = ''] =
      /gateway_callback_attempts_total\{[^}]+\}/.exec(
        await readFile('public/operating/alerts.yml', 'utf8'),
      ) ?? [];
    expect(selector).toContain('environment="production"');
    expect((await ask({}, {})).body).toContain(`\n${selector} `);
  });
});
