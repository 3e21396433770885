/** Of a form whose thing was changed meanwhile. */
export const versions = {
  label: "Both versions",
  changed: "It was changed meanwhile, by another person or program. What you entered stays here.",
  reading: "Reading what it is now",
  field: "Field",
  theirs: "Theirs, now",
  mine: "Yours",
  untouched: "You did not change it: theirs stays",
  same: "No field here differs from what it is now.",
  nothing: "–",
  yes: "Yes",
  no: "No",
  take: "Take theirs",
  keep: "Keep mine and save",
};
