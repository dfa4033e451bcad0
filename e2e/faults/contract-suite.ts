import { spawn } from 'node:child_process';

const SHOWN_CHARACTERS = 6_000;

/**
 * Runs the contract suite, including callbacks, against a running gateway.
 *
 * @returns whether all of it passed, and the number of tests; failures are printed
 */
export function contractSuite(
  name: string,
  { origin, databaseUrl }: { origin: string; databaseUrl: string },
): Promise<{ holds: boolean; tests: number }> {
  return new Promise((resolve, reject) => {
    const program = 'node_modules/vitest/vitest.mjs';
    const child = spawn(process.execPath, [program, 'run', '--project', 'replicas'], {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        NO_COLOR: '1',
        CONTRACT_NAME: name,
        CONTRACT_ORIGIN: origin,
        CONTRACT_DATABASE_URL: databaseUrl,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (data: Buffer): void => {
      output += data.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(`${output.slice(-SHOWN_CHARACTERS)}\n`);
      const passed = /Tests\s+(\d+) passed/.exec(output)?.[1];
      resolve({ holds: code === 0, tests: Number(passed ?? 0) });
    });
  });
}
