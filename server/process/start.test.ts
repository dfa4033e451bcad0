import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { childEnvironment } from '../settings/settings.ts';
import { freePort } from '../testing/ports.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'start-test-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('one port for web and worker is refused before anything is started', async () => {
  const port = String(await freePort());
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/process/start.ts'], {
    // Nothing answers at this address, so nothing starts even without the refusal.
    env: childEnvironment({
      PORT: port,
      METRICS_PORT: port,
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const [code] = await once(child, 'close');
  expect(code, output).toBe(1);
  expect(output).toContain('PORT and METRICS_PORT must differ where one machine runs both');
  expect(readdirSync(dataDir)).toEqual([]);
});
