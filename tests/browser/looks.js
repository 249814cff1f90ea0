// What tests/chromium.py asks of a page: each answer is a list of what is wrong with it.
{
  runsOut() {
    const root = document.documentElement, found = [];
    const told = (one) => `${one.tagName.toLowerCase()}.${one.className} ${one.textContent.trim().slice(0, 40)}`;
    const scrolls = (one) =>
      one && (["auto", "scroll"].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
    if (root.scrollWidth > root.clientWidth) found.push(`page: ${root.scrollWidth} of ${root.clientWidth}`);
    for (const one of document.body.querySelectorAll("*")) {
      const box = one.getBoundingClientRect(), is_wide = one.clientWidth && one.scrollWidth > one.clientWidth + 1;
      const is_right = box.width && box.right > root.clientWidth + 1;
      if (is_right && !scrolls(one.parentElement)) found.push(`right of the page: ${told(one)}`);
      if (is_wide && getComputedStyle(one).overflowX === "hidden") found.push(`cut off: ${told(one)}`);
      else if (is_wide && !scrolls(one)) found.push(`words run out of: ${told(one)}`);
    }
    return found;
  },

  missingGlyphs() {
    const canvas = new OffscreenCanvas(96, 64), brush = canvas.getContext("2d", {willReadFrequently: true});
    const drawn = (text, font) => {
      brush.clearRect(0, 0, canvas.width, canvas.height);
      brush.font = font;
      brush.fillText(text, 8, 44);
      return brush.getImageData(0, 0, canvas.width, canvas.height).data.join();
    };
    const number = (char) => "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    const nothing = drawn("", "32px sans-serif"), boxes = new Map(), seen = new Set(), missing = new Set();
    const pieces = new Intl.Segmenter("en", {granularity: "grapheme"});
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const style = getComputedStyle(node.parentElement);
      const font = `${style.fontStyle} ${style.fontWeight} 32px ${style.fontFamily}`;
      if (!boxes.has(font)) boxes.set(font, drawn("\u{10FFFF}", font));
      for (const {segment} of pieces.segment(node.data)) {
        if (/^\s+$/u.test(segment) || seen.has(segment + font)) continue;
        seen.add(segment + font);
        const image = drawn(segment, font);
        if (image === nothing || image === boxes.get(font)) missing.add([...segment].map(number).join(" "));
      }
    }
    return [...missing].sort();
  },

  faintWords() {
    const colour = (text) => (text.match(/[\d.]+/g) || []).map(Number);
    const over = ([r, g, b, a = 1], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a)];
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const light = (rgb) => {
      const [r, g, b] = rgb.map((part) => linear(part / 255));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (one) =>
      one ? over(colour(getComputedStyle(one).backgroundColor), behind(one.parentElement)) : [255, 255, 255];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = new Set();
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const words = node.data.trim(), style = getComputedStyle(node.parentElement);
      if (!/[\p{L}\p{N}]/u.test(words)) continue;
      const back = behind(node.parentElement), front = over(colour(style.color), back);
      const [low, high] = [light(back), light(front)].sort((one, other) => one - other);
      const contrast = (high + 0.05) / (low + 0.05), size = parseFloat(style.fontSize);
      const is_large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
      if (contrast < (is_large ? 3 : 4.5)) found.add(`${words.slice(0, 40)}: ${contrast.toFixed(2)}`);
    }
    return [...found];
  },
}
