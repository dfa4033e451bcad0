import { type ChildProcess, spawn } from 'node:child_process';
import { messagesAt } from '#server/i18n/translator.ts';
import { newId } from '#server/lib/ids.ts';
import { freePort } from '#server/testing/ports.ts';
import { gatewayUnderTest } from '../gateway.ts';
import { until } from '../processes/processes.ts';
import { expect, test } from './shop.ts';

const en = messagesAt('en', 'pay');

/** A web process whose database is unreachable. */
async function startCutOff(): Promise<{ origin: string; web: ChildProcess }> {
  const port = String(await freePort());
  const origin = `http://localhost:${port}`;
  const web = spawn(process.execPath, ['--import', 'tsx', 'server/web/http.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: port,
      PUBLIC_URL: origin,
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
      DATA_DIR: gatewayUnderTest().dataDir,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const answers = () =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  await until('a web process', 60_000, answers);
  return { origin, web };
}

test('an unreachable database is a page that promises nothing it cannot know, with and without scripts', async ({
  browser,
}) => {
  const { origin, web } = await startCutOff();
  const gone = new Promise((resolve) => web.once('exit', resolve));
  try {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      const address = `${origin}/pay/${newId('inv', Date.now())}`;
      await page.goto(`${address}/receipt`);
      await expect(page).toHaveTitle(en.trouble.title);
      await page.goto(address);
      await expect(page.getByRole('heading', { name: en.trouble.title })).toBeVisible();
      await expect(page.getByText('don’t pay again')).toBeVisible();
      await expect(page.getByText('You haven’t been charged')).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible();
      await context.close();
    }
  } finally {
    web.kill('SIGKILL');
    await gone;
  }
});
