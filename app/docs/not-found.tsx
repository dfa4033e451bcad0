import { API_PAGE } from './_content/pages.ts';
import { CARD_GROUPS, PageCards } from './_parts/page-cards.tsx';

const FIRST = [...(CARD_GROUPS[0]?.cards ?? []), API_PAGE];

/** An unknown address in the docs, in their frame: the menu and the search still work. */
export default function NoSuchPage() {
  return (
    <div className="px-4 md:px-8">
      <main id="main" tabIndex={-1} className="mx-auto max-w-5xl py-8 outline-none md:py-12">
        <p className="font-semibold text-muted">404</p>
        <h1 className="font-semibold text-3xl tracking-tight md:text-4xl">
          There is no such page in the docs
        </h1>
        <p className="mt-3 max-w-2xl text-lg text-muted text-pretty">
          It may have moved: search for a word of it, or begin here.
        </p>
        <PageCards cards={FIRST} />
      </main>
    </div>
  );
}
