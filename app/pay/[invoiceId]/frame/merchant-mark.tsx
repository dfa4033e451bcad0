import { firstLetter } from '#app/_ui/first-letter.ts';

/** Only our own images or those within the page are allowed: no third party is asked. */
function isOwnImage(url: string | null): url is string {
  return (
    url !== null && (/^data:image\/(png|jpeg|webp|svg\+xml)[;,]/.test(url) || /^\/[^/\\]/.test(url))
  );
}

/** A wide logo gets the width it needs to be read, within reason. */
export const LOGO = 'h-10 w-auto min-w-10 max-w-32 shrink-0 rounded-xl bg-white object-contain p-1';

/** The merchant's logo, or the first letter of its name on its colour. */
export function MerchantMark({ name, logoUrl }: { name: string; logoUrl: string | null }) {
  if (isOwnImage(logoUrl)) {
    // The logo stands beside the name, which says the same.
    return <img src={logoUrl} alt="" className={LOGO} />;
  }
  return (
    <span
      aria-hidden="true"
      className="mark niche grid h-11 w-9 shrink-0 place-items-center bg-(--brand,var(--accent)) pt-1.5 font-semibold text-(--on-brand,var(--on-accent)) text-lg print:[print-color-adjust:exact]"
    >
      {firstLetter(name)}
    </span>
  );
}
