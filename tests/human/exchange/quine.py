"""Made-up files in the layout of van Boven and Bloem (2021)."""

from lexiscope.human.exchange.van_boven_files import MODELS

TERMS = ("red", "green", "sense datum", "blue")
RANKS = (2, 10, 2, 10)
# For each question and participant the models (1 to 6) that they chose; 0 for none.
CHOICES = (("6", "6", "1"), ("3", "0", "3"), ("12", "12", "4"), ("0", "5", "5"))
# For each term and model (W2V, N2V, SVD) the answers of two participants: 1 the term, 2 and 3 its
# neighbours, 4 the outlier, 5 none.
OUTLIERS = {
    "red": ("44", "45", "14"),
    "green": ("55", "42", "44"),
    "sense datum": ("41", "44", "53"),
    "blue": ("24", "44", "34"),
}
_OUTCOMES = {"4": "1", "5": "-1"}


def write(folder):
    """Write all files; two of them have bare CR line ends."""
    (folder / "Model_Results").mkdir(parents=True)
    (folder / "Test_results").mkdir()
    for model, name in enumerate(MODELS.values(), 1):
        rows = [neighbours(model, term) for term in TERMS]
        save(folder / "Model_Results" / name, ",", [["", "term", *"0123456"], *rows])
    synonyms(folder / "Test_results")
    coherence(folder / "Test_results")
    return folder


def neighbours(model, term):
    """The words are like green-2-at-10: the second model's neighbour of green at rank 10."""
    key = term.replace(" ", "_") + ("__xx" if model > 4 else "")
    ranks = ("1", "2", "3", "5", "10", "50", "outlier")
    return [str(model), key, *(cell(model, word(model, term, rank)) for rank in ranks)]


def word(model, term, rank):
    """Models 1 and 2 have the same neighbour of "sense datum" at rank 2."""
    same = term == "sense datum" and rank == "2" and model == 2
    return f"{term.replace(' ', '_')}-{1 if same else model}-at-{rank}"


def cell(model, text):
    return {4: f"('{text}', 0.5)", 5: f"{text}(0.25)", 6: f"{text}__xx(1e-05)"}.get(
        model, f"[('{text}', 0.97)]"
    )


def synonyms(folder):
    head = ["vraagnummer", *"abcdef", "None is related", "Rank", "Comment"]
    for person in range(3):
        rows = [answer(k, person) for k in range(len(TERMS))]
        for part, chosen in ((1, rows[:2]), (2, rows[2:])):
            path = folder / f"Results_SynDet_part{part}_participant{person + 1}.csv"
            save(path, ";", [head, *chosen], "\r" if person == 2 else "\r\n")
    words = [[str(k + 1), *CHOICES[k][:2], "low" if k % 2 else "high", term]
             for k, term in enumerate(TERMS)]  # fmt: skip
    save(folder / "syn_det_results-word-freqs.csv", ";", [["", "p1", "p2", "freq", "word"], *words])
    times = [[str(k), str(k), str(p), str(int(CHOICES[k][p] != "0")), f"{10 * k + p}.5"]
             for k in range(len(TERMS)) for p in range(2)]  # fmt: skip
    head = ["", "nr", "Participant", "Answer", "Time"]
    save(folder / "syn_det_time_freq_rank.csv", ",", [head, *times])


def answer(question, person):
    chosen = CHOICES[question][person]
    marks = [str(int(str(model) in chosen)) for model in range(1, 7)]
    return [str(question + 1), *marks, str(int(chosen == "0")), str(RANKS[question]), ""]


def coherence(folder):
    questions, times = [], []
    for model in (1, 0, 2):  # the files name no model, and the order of questions is any
        for term, codes in OUTLIERS.items():
            number = len(questions) + 1
            questions.append([str(number), *codes[model], term, "low"])
            times += [
                [str(2 * number + p), str(number), f"Q{number}", str(p),
                 str(int(codes[model][p] != "5")), f"{number}.25"]
                for p in range(2)
            ]  # fmt: skip
    head = ["vraagnummer", "participant 1", "participant 2", "word", "freq"]
    save(folder / "outlier_participant_res.csv", ";", [head, *questions])
    head = ["", "Nr", "Question", "Participant", "Answer", "Time"]
    save(folder / "coherence_time_freqs.csv", ",", [head, *times])
    for person in range(2):
        rows = [[str(k), *(_OUTCOMES.get(codes[m][person], "0") for m in range(3)), "low", term]
                for k, (term, codes) in enumerate(OUTLIERS.items(), 1)]  # fmt: skip
        path = folder / f"Results_OutDet_participant{person + 1}.csv"
        save(path, ";", [["vraagnummer", "W2V", "N2V", "SVD", "Freq", "Word"], *rows])


def save(path, separator, rows, end="\n"):
    def quoted(text):
        return f'"{text}"' if separator in text else text

    lines = [separator.join(map(quoted, row)) for row in rows]
    path.write_bytes((end.join(lines) + end).encode())
