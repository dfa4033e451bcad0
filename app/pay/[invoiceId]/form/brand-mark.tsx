import type { CardBrand } from '#server/payments/types.ts';

/** A card's mark, drawn here: nothing is fetched for it. Decoration beside the number. */
export function BrandMark({ brand, dim = false }: { brand: CardBrand; dim?: boolean }) {
  const className = `h-5 w-7.5 sm:h-6 sm:w-9 transition-opacity ${dim ? 'opacity-30' : ''}`;
  if (brand === 'visa') {
    return (
      <svg aria-hidden="true" viewBox="0 0 36 24" className={className}>
        <rect width="36" height="24" rx="4" fill="#1a1f71" />
        <path
          fill="#fff"
          d="m15.3 15.8 1.3-7.6h2l-1.3 7.6zM24.4 8.4a5 5 0 0 0-1.8-.3c-2 0-3.4 1-3.4 2.5 0 1.1 1 1.7 1.8 2.1.8.4 1 .6 1 1 0 .5-.6.7-1.2.7a4 4 0 0 1-1.8-.4l-.3 1.6c.5.2 1.3.4 2.2.4 2.1 0 3.5-1 3.5-2.6 0-.9-.5-1.5-1.7-2.1-.7-.4-1.1-.6-1.1-1s.4-.7 1.2-.7c.6 0 1.1.1 1.5.3zM27.2 8.2c-.5 0-.8.1-1 .6l-2.9 7h2l.4-1.2h2.5l.2 1.2h1.8l-1.5-7.6zm-.9 4.9.9-2.6.5 2.6zM12.2 8.2l-2 5.2-.2-1.1c-.4-1.2-1.5-2.5-2.8-3.2l1.8 6.7h2.1l3.2-7.6zM8.5 8.2H5.3v.2c2.5.6 4.1 2.1 4.8 4l-.7-3.5c-.1-.5-.5-.7-.9-.7"
        />
      </svg>
    );
  }
  if (brand === 'mastercard') {
    return (
      <svg aria-hidden="true" viewBox="0 0 36 24" className={className}>
        <rect x="0.5" y="0.5" width="35" height="23" rx="3.5" fill="#20242c" stroke="#4a515e" />
        <circle cx="14.5" cy="12" r="6" fill="#eb001b" />
        <circle cx="21.5" cy="12" r="6" fill="#f79e1b" />
        <path fill="#ff5f00" d="M18 7.13a6 6 0 0 1 0 9.74 6 6 0 0 1 0-9.74" />
      </svg>
    );
  }
  return (
    <svg aria-hidden="true" viewBox="0 0 36 24" className={className}>
      <rect x="0.5" y="0.5" width="35" height="23" rx="3.5" fill="none" stroke="currentColor" />
      <path d="M0 6h36v4H0z" fill="currentColor" />
    </svg>
  );
}
