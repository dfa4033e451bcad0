import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { childEnvironment, projectRoot } from '../settings/settings.ts';
import { freePort } from '../testing/ports.ts';
import { makeThrowAwayFolder } from '../testing/throw-away-folder.ts';

const folder = makeThrowAwayFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Runs a keeper of one or several webs. All behaviour is given as code: `webCode` for a web, `say`
 * for the keeper's reports, and `first` for what it does before it begins.
 */
function runKeeper(
  port: number,
  webCode: string,
  say: string,
  { first = '', processes = 1, pingEveryMs = 400 } = {},
) {
  const web = path.join(folder, `web-${port}.ts`);
  const keeper = path.join(folder, `keeper-${port}.ts`);
  writeFileSync(web, webCode);
  const webs = pathToFileURL(path.join(projectRoot(), 'server/process/webs.ts')).href;
  writeFileSync(
    keeper,
    `import cluster from 'node:cluster';
     import { keepWebs } from ${JSON.stringify(webs)};
     cluster.on('fork', (worker) => worker.prependListener('exit', (code, signal) =>
       console.log('its web ended by', signal ?? code)));
     const node = process.execPath;
     ${first}
     keepWebs({ file: ${JSON.stringify(web)}, processes: ${processes}, environment: {}, pingEveryMs: ${pingEveryMs},
       say: (what, text) => { console.log(text); ${say} } });`,
  );
  const child = spawn(process.execPath, ['--import', 'tsx', keeper], {
    cwd: projectRoot(),
    env: childEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  return { child, said: () => said };
}

/** A keeper of webs that answer with their process id; `say` is its code for reports. */
async function startKeeper(
  say: string,
  options: { processes?: number; pingEveryMs?: number } = {},
) {
  const port = await freePort();
  const { child, said } = runKeeper(
    port,
    `import { createServer } from 'node:http';
     let pings = 0;
     process.on('message', ({ gateway }) => {
       if (gateway === 'stop') process.exit();
       if (gateway !== 'ping') return;
       pings += 1;
       process.send({ gateway: 'pong' });
     });
     createServer((request, response) => {
       if (request.url === '/hang') {
         console.log('it hangs');
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
       }
       response.setHeader('connection', 'close');
       response.end(String(request.url === '/pings' ? pings : process.pid));
     }).listen(${port}, '127.0.0.1');`,
    say,
    options,
  );
  const ask = (path: string, withinMs = 500) =>
    fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(withinMs) })
      .then((answer) => answer.text())
      .catch(() => null);
  const another = async (before: string | null) => {
    let now: string | null = null;
    await expect
      .poll(
        async () => {
          now = await ask('/');
          return now !== null && now !== before;
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    return now ?? '';
  };
  return { child, port, ask, another, first: await another(null), said };
}

it('one whose event loop stops turning is killed, and another takes its place', async () => {
  const { port, another, first, said } = await startKeeper('');
  fetch(`http://127.0.0.1:${port}/hang`).catch(() => null);
  await expect.poll(said, { timeout: 20_000 }).toContain('a web hangs and is killed');
  await another(first);
});

it('no connection waits for one that hangs while another has time', async () => {
  // The web keeps hanging: its keeper would wait longer than this asks.
  const options = { processes: 2, pingEveryMs: 60_000 };
  const { port, ask, another, first, said } = await startKeeper('', options);
  const second = await another(first);
  fetch(`http://127.0.0.1:${port}/hang`).catch(() => null);
  await expect.poll(said).toContain('it hangs');
  const other = await another(null);
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask('/', 20_000)));
  process.kill(Number(other === first ? second : first), 'SIGKILL');
  expect(new Set(asked)).toEqual(new Set([other]));
});

/** Calls again and again, each time over a new connection, until nothing listens there. */
async function slowestCallMs(port: number): Promise<number> {
  let slowestMs = 0;
  for (let isOver = false; !isOver; ) {
    const beganMs = performance.now();
    await fetch(`http://127.0.0.1:${port}/`).then(
      (answer) => answer.text(),
      (error) => {
        isOver = error.cause.code === 'ECONNREFUSED';
      },
    );
    slowestMs = Math.max(slowestMs, performance.now() - beganMs);
  }
  return slowestMs;
}

it('who calls while webs stop listening is not kept waiting until they end', async () => {
  const port = await freePort();
  const web = `import { createServer } from 'node:http';
    const server = createServer((_, response) => {
      response.setHeader('connection', 'close');
      response.end(String(process.pid));
    }).listen(${port}, '127.0.0.1');
    process.on('message', ({ gateway }) => {
      if (gateway === 'ping') process.send({ gateway: 'pong' });
      if (gateway !== 'stop') return;
      server.close();
      setTimeout(() => process.exit(), 12_000);
    });`;
  const { child } = runKeeper(port, web, '', { processes: 2 });
  const seen = new Set<string>();
  const look = () =>
    fetch(`http://127.0.0.1:${port}/`)
      .then(async (answer) => seen.add(await answer.text()).size)
      .catch(() => 0);
  await expect.poll(look, { timeout: 20_000 }).toBe(2);
  const callers = Promise.all(Array.from({ length: 8 }, () => slowestCallMs(port)));
  child.kill('SIGTERM');
  for (const ms of await callers) expect(ms).toBeLessThan(8_000);
});

it('one that answers lives on, past more pings than a silent one gets', async () => {
  const { ask } = await startKeeper('');
  const pings = async () => Number(await ask('/pings'));
  await expect.poll(pings, { timeout: 20_000 }).toBeGreaterThanOrEqual(6);
});

// Node reports the one by an event, the other at once.
it.each([
  ['that is not there', '/nowhere'],
  ['that cannot be named', '/no\0where'],
])('its place is kept while no process can be made of a program %s', async (_title, program) => {
  const { another, first, said } = await startKeeper(
    `process.execPath = text.includes('cannot') ? node : ${JSON.stringify(program)};`,
  );
  process.kill(Number.parseInt(first, 10), 'SIGKILL');
  await expect.poll(said, { timeout: 20_000 }).toContain('a web cannot be started');
  await another(first);
});

it('ends while no process can be made', async () => {
  const { child, first, said } = await startKeeper(`process.execPath = '/nowhere';`);
  process.kill(Number.parseInt(first, 10), 'SIGKILL');
  await expect.poll(said, { timeout: 20_000 }).toContain('a web cannot be started');
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

it('a web that is still starting, where no message is heard yet, is ended with it', async () => {
  const web = `console.log('a web starts'); setInterval(() => undefined, 1_000);`;
  const { child, said } = runKeeper(await freePort(), web, '');
  await expect.poll(said, { timeout: 20_000 }).toContain('a web starts');
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(said()).toContain('its web ended by SIGTERM');
});

it('a web that listens is told by a message, and by no signal', async () => {
  const { child, said } = await startKeeper('');
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(said()).toContain('its web ended by 0');
});

it('a web that will not end is killed, and the end waits for it', async () => {
  const web = `process.on('SIGTERM', () => undefined); console.log('a web starts');
    setInterval(() => undefined, 1_000);`;
  // Shortens its seconds of waiting to tenths.
  const first = `const wait = setTimeout;
    globalThis.setTimeout = (work, ms, ...rest) => wait(work, ms / 10, ...rest);`;
  const { child, said } = runKeeper(await freePort(), web, '', { first });
  await expect.poll(said, { timeout: 20_000 }).toContain('a web starts');
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(said()).toContain('its web ended by SIGKILL');
});

it('while the keeper hangs, whoever is asked for metrics tells its own alone, under its number', async () => {
  const port = await freePort();
  const ours = (file: string) => JSON.stringify(pathToFileURL(path.join(projectRoot(), file)).href);
  const web = `import { createServer } from 'node:http';
    import { metrics } from ${ours('server/observability/metrics.ts')};
    import { joinSiblings } from ${ours('server/web/siblings.ts')};
    joinSiblings(async () => String(process.pid));
    process.on('message', ({ gateway }) => void (gateway === 'stop' && process.exit()));
    createServer(async (_, response) => {
      response.setHeader('connection', 'close');
      response.end(JSON.stringify(await metrics().collect()));
    }).listen(${port}, '127.0.0.1');`;
  const { child } = runKeeper(port, web, '', { processes: 2 });
  onTestFinished(() => void child.kill('SIGCONT'));
  const ask = async (): Promise<{ process: number; text: string }[]> => {
    const signal = AbortSignal.timeout(10_000);
    return (await fetch(`http://127.0.0.1:${port}/`, { signal })).json();
  };
  const none = () => [];
  const told = async () => (await ask().catch(none)).map(({ process }) => process);
  await expect.poll(told, { timeout: 20_000 }).toEqual([1, 2]);
  const both = await ask();
  child.kill('SIGSTOP');
  const [own, ...others] = await ask();
  expect(both).toContainEqual(own);
  expect(others).toEqual([]);
});
