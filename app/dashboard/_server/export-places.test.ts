import { expect, it } from 'vitest';
import { type ExportPlace, takeExportPlace } from './export-places.ts';

it('keeps two files of a person open at once', async () => {
  const [first, second] = [await takeExportPlace('ann', 'a'), await takeExportPlace('ann', 'b')];
  expect(await takeExportPlace('ann', 'c')).toBeNull();
  const other = await takeExportPlace('kim', 'a');
  expect(other).not.toBeNull();
  first?.leave();
  // A file that ends twice gives its place back once.
  first?.leave();
  const third = await takeExportPlace('ann', 'a');
  expect(third).not.toBeNull();
  expect(await takeExportPlace('ann', 'a')).toBeNull();
  for (const file of [second, third, other]) file?.leave();
});

it('keeps eight files of a merchant open at once, and 32 of all, and counts none that it refused', async () => {
  const take = (person: number, merchant: number) =>
    takeExportPlace(`person-${person}`, `merchant-${merchant}`);
  const files: (ExportPlace | null)[] = [];
  for (let n = 0; n < 32; n++) files.push(await take(n, n >> 3));
  expect(files).not.toContain(null);
  expect(await take(100, 100)).toBeNull();
  files[0]?.leave();
  expect(await take(100, 1)).toBeNull();
  expect(await take(100, 1)).toBeNull();
  const again = await take(100, 100);
  expect(again).not.toBeNull();
  for (const file of [...files, again]) file?.leave();
});

/** Begins to read a page, and ends when told. */
function beginPage(place: ExportPlace | null, name: string, atWork: Map<string, () => void>) {
  return place?.inTurn(async () => {
    await new Promise<void>((resolve) => atWork.set(name, resolve));
    atWork.delete(name);
  });
}

it('reads two pages of a merchant at once and four of all, the others in turns', async () => {
  const atWork = new Map<string, () => void>();
  const names = ['a1', 'a2', 'a3', 'b1', 'c1', 'd1'];
  const pages = names.map(async (name) =>
    beginPage(await takeExportPlace(name, name.charAt(0)), name, atWork),
  );
  const expectAtWork = (...expected: string[]) =>
    expect.poll(() => [...atWork.keys()].sort()).toEqual(expected);
  await expectAtWork('a1', 'a2', 'b1', 'c1');
  atWork.get('b1')?.();
  await expectAtWork('a1', 'a2', 'c1', 'd1');
  atWork.get('a1')?.();
  await expectAtWork('a2', 'a3', 'c1', 'd1');
  for (const end of atWork.values()) end();
  await Promise.all(pages);
});

it('gives the turn on where a page could not be read', async () => {
  const place = await takeExportPlace('lee', 'e');
  for (const _ of [1, 2, 3, 4, 5]) {
    const fault = () => Promise.reject(new Error('the database went away'));
    await expect(place?.inTurn(fault)).rejects.toThrow('the database went away');
  }
  expect(await place?.inTurn(async () => 'read')).toBe('read');
});
