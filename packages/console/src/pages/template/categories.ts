export const CATEGORIES = ["utility", "marketing", "authentication"] as const;
