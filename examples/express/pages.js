const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (character) => escapes[character]);

const money = ({ amount, currency }) => `${(amount / 100).toFixed(2)} ${currency}`;

function page(title, body, { refresh = false } = {}) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${refresh ? '<meta http-equiv="refresh" content="1">' : ''}
<title>${escapeHtml(title)}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; }
button { font: inherit; padding: 0.5rem 1rem; }
</style>
</head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body>
</html>`;
}

export const frontPage = (product) =>
  page(
    'A small shop',
    `<p>${escapeHtml(product.title)}: ${money(product)}</p>
<form method="post" action="/orders"><button>Buy</button></form>`,
  );

export const paidPage = (order) =>
  page('Thank you', `<p>Order ${escapeHtml(order.id)} is paid: ${money(order)}.</p>`);

// The buyer often returns before the callback arrives.
export const waitingPage = (order) =>
  page('One moment', `<p>We are waiting for the payment of order ${escapeHtml(order.id)}.</p>`, {
    refresh: true,
  });

// Money was taken, but it does not match the order: a person has to check it.
export const lookedAtPage = (order) =>
  page(
    'We are looking at your payment',
    `<p>The payment of order ${escapeHtml(order.id)} does not fit it. We will write to you; please do not pay again.</p>`,
  );

// A payment may still be under way until the invoice is over: only then is it certain that nothing
// was charged.
export const notPaidPage = (order, { isOver }) =>
  page(
    'Not paid',
    `<p>Order ${escapeHtml(order.id)} ${isOver ? 'was not paid; nothing was charged' : 'is not paid yet'}.</p>
<form method="post" action="/orders"><button>Try again</button></form>`,
  );

export const troublePage = () =>
  page('Payment is not possible right now', '<p>Please try again in a few minutes.</p>');
