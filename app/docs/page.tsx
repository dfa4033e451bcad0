import Link from 'next/link';
import { CARD_GROUPS, PageCards } from './_parts/page-cards.tsx';

/** The pages by the reader's purpose. */
export default function DocsOverview() {
  return (
    <div className="px-4 md:px-8">
      <main id="main" tabIndex={-1} className="mx-auto max-w-5xl py-8 outline-none md:py-12">
        <h1 className="font-semibold text-3xl tracking-tight md:text-4xl">Documentation</h1>
        <p className="mt-3 max-w-2xl text-lg text-muted text-pretty">
          Your server creates an invoice, the buyer pays it on our page, and your server gets one
          signed callback. Everything you need to integrate is here.
        </p>
        <p className="mt-6">
          <Link href="/docs/quick-start" prefetch={false} className="button button-primary">
            Start in five minutes
          </Link>
        </p>
        {CARD_GROUPS.map(({ title, cards }) => (
          <section key={title} aria-label={title} className="mt-10">
            <h2 className="font-semibold text-xl tracking-tight">{title}</h2>
            <PageCards cards={cards} />
          </section>
        ))}
      </main>
    </div>
  );
}
